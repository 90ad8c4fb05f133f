// In charge of errors that an operator can fix, unlike bugs: the command line prints the message without a stack trace.

export class OperatorError extends Error {}
