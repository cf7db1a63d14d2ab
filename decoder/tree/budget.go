package tree

// LookUpBudget is the number of values that one look-up for the screen may pass over,
// which takes a few milliseconds. A longer one waits for the index.
const LookUpBudget = 50_000

// IndexedBudget is the same once the index is there and nothing is to be waited
// for: enough to pass over the deepest nesting, which leaves few places to
// remember.
const IndexedBudget = 4 * MaxDepth
