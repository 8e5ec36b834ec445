package release

import "github.com/inferstack/inferstack/internal/sorted"

// Types of a Schema. What is "" takes anything.
const (
	TypeInt    = "int"
	TypeFloat  = "float"
	TypeBool   = "bool"
	TypeString = "string"
	TypeObject = "object"
	TypeList   = "list"
	TypeMap    = "map"
	// TypeQuantity is a Kubernetes quantity, such as 1Gi or 5.
	TypeQuantity = "quantity"
	// TypeDuration is a text such as 5s that must be there to be one (metav1.Duration).
	TypeDuration = "duration"
	// TypeDurationText is a text such as 5s, where "" stands for the default.
	TypeDurationText = "duration-text"
	// TypeNanoseconds is a whole number of nanoseconds (time.Duration).
	TypeNanoseconds = "nanoseconds"
	// TypeLabelSelector is a selector with matchLabels and matchExpressions.
	TypeLabelSelector = "label-selector"
)

// A Schema is what a value of an EPP's configuration may be.
type Schema struct {
	Type string `json:"type,omitempty"`
	// Fields of an object.
	Fields sorted.Map[*Schema] `json:"fields,omitempty"`
	// Loose objects take fields that they do not know.
	Loose bool `json:"loose,omitempty"`
	// Items of a list, and values of a map.
	Items *Schema `json:"items,omitempty"`
	// Default is what the EPP takes when the value is not there.
	Default any `json:"default,omitempty"`
	// Unit of a number.
	Unit string `json:"unit,omitempty"`
	// Min and Max are allowed, Above and Below are not.
	Min   *float64 `json:"min,omitempty"`
	Max   *float64 `json:"max,omitempty"`
	Above *float64 `json:"above,omitempty"`
	Below *float64 `json:"below,omitempty"`
	// Also are numbers beside the range, such as -1 for no limit.
	Also []float64 `json:"also,omitempty"`
	// Soft says that the EPP takes the default for a number out of range, and starts.
	Soft bool `json:"soft,omitempty"`
	// Enum are the texts that are allowed. Fold compares without case, - and _.
	Enum []string `json:"enum,omitempty"`
	Fold bool     `json:"fold,omitempty"`
	// EnumFrom is list.field beside the value: the items' texts are allowed as well.
	EnumFrom string `json:"enumFrom,omitempty"`
	// Not are texts that are not allowed.
	Not []string `json:"not,omitempty"`
	// Form of a text: "label-selector", "metric", "cel".
	Form string `json:"form,omitempty"`
	// Required values must be there; a text must not be "", a list not empty.
	Required bool `json:"required,omitempty"`
	// Trimmed texts are empty when they hold blanks only.
	Trimmed bool `json:"trimmed,omitempty"`
	// NotEmpty texts may be left out, and must not be "".
	NotEmpty bool `json:"notEmpty,omitempty"`
	// NotNull values may be left out, and must not be null.
	NotNull bool `json:"notNull,omitempty"`
	// Refused says why the value must not be there at all.
	Refused string `json:"refused,omitempty"`
	// Present matches what is there, in a condition.
	Present *bool `json:"present,omitempty"`
	// Length of a list.
	Length int `json:"length,omitempty"`
	// Unique names the fields in which the items of a list differ; "." is the item itself.
	Unique []string `json:"unique,omitempty"`
	// Plugin is the category of the plugin that a text names.
	Plugin string `json:"plugin,omitempty"`
	// Automatic says that the EPP makes the plugin that the default names.
	Automatic bool `json:"automatic,omitempty"`
	// AnyType says that the name of any type makes a plugin of that type.
	AnyType bool `json:"anyType,omitempty"`
	// UnlessSet is the field that counts instead where it is set.
	UnlessSet string `json:"unlessSet,omitempty"`
	// Profile says that a text names a scheduling profile.
	Profile bool `json:"profile,omitempty"`
	// Deprecated says what to use instead, Unused that the EPP does nothing with the value.
	Deprecated string `json:"deprecated,omitempty"`
	Unused     bool   `json:"unused,omitempty"`
	// Gate without which the fields are decoded and not used, except Ungated ones.
	Gate    string `json:"gate,omitempty"`
	Ungated bool   `json:"ungated,omitempty"`
	// OffGate is the gate with which the fields are decoded and not used.
	OffGate string `json:"offGate,omitempty"`
	// Rules between fields.
	Rules []SchemaRule `json:"rules,omitempty"`
}

// A SchemaRule holds between the fields of an object.
type SchemaRule struct {
	// If all these fields match, with their defaults, Then these must match as well.
	If   sorted.Map[*Schema] `json:"if,omitempty"`
	Then sorted.Map[*Schema] `json:"then,omitempty"`
	// ExactlyOne, AtMostOne and AtLeastOne of these fields are there.
	ExactlyOne []string `json:"exactlyOne,omitempty"`
	AtMostOne  []string `json:"atMostOne,omitempty"`
	AtLeastOne []string `json:"atLeastOne,omitempty"`
	// Rising fields grow from one to the next; NotFalling ones do not shrink.
	Rising     []string `json:"rising,omitempty"`
	NotFalling []string `json:"notFalling,omitempty"`
}

// FieldNames lists the fields in order.
func (s *Schema) FieldNames() []string { return s.Fields.Keys() }
