// In charge of telling what an operator can act on from bugs: the command line prints it as a sentence, without a stack.

export class OperatorError extends Error {}
