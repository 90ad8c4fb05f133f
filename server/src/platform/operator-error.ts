// In charge of errors that an operator can fix, as opposed to bugs: the command line prints their message without a stack trace.

export class OperatorError extends Error {}
