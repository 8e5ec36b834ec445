package oracle

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/expr-lang/expr"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/inferstack/inferstack/admission"
)

// formulaWords are what formulas are made of at random: names that are triggers, names that are none,
// functions, operators and brackets.
var formulaWords = strings.Fields(`a b queueSize office-hours c max min sum float int trim frob ( ) ( ) ( ) , + - * / % ** > < == ? : && || !
	and or not in true 1 2.5 1e3 .5 "x" 'y' 0x1F [ ] .. ;`)

// TestFormulas compares the judge of formulas with the language of KEDA's, as its webhook calls
// it. What the language takes the judge takes; of names, functions and brackets it also refuses
// what the language does, and leaves the grammar and the types to it.
func TestFormulas(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	triggers := map[string]float64{"a": -1, "b": -1, "queueSize": -1}
	var judged []admission.Trigger
	for name := range triggers {
		judged = append(judged, admission.Trigger{Type: "prometheus", Name: name})
	}
	taken, refused, left := 0, 0, 0
	for range 200_000 {
		parts := make([]string, 1+random.IntN(7))
		for i := range parts {
			parts[i] = formulaWords[random.IntN(len(formulaWords))]
		}
		formula := strings.Join(parts, " ")
		err := valid(formula, triggers)
		flaws := admission.Scaling{Min: 1, Triggers: judged, Formula: formula, FormulaAt: field.NewPath("formula"), Target: "1"}.Flaws()
		switch {
		case err == nil && len(flaws) > 0:
			t.Errorf("%q is taken, and refused here: %s", formula, flaws[0].Message)
		case err == nil:
			taken++
		case len(flaws) > 0:
			refused++
		case strings.Contains(err.Error(), "unknown name"):
			t.Errorf("%q is refused, and taken here: %v", formula, err)
		default:
			left++
		}
	}
	t.Logf("%d formulas are taken by both, %d refused by both, %d left to KEDA", taken, refused, left)
	if taken < 1000 || refused < 10_000 {
		t.Error("the formulas are too alike to show anything")
	}
}

// valid compiles and runs a formula (keda v2.18.0 apis/keda/v1alpha1/scaledobject_webhook.go,
// validateScalingModifiersFormula).
func valid(formula string, triggers map[string]float64) error {
	program, err := expr.Compile("float("+formula+")", expr.Env(triggers), expr.AsFloat64())
	if err != nil {
		return err
	}
	_, err = expr.Run(program, triggers)
	return err
}
