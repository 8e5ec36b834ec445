package schema

// Root is the model of a document, for tests that render what they make of it.
var Root = root
