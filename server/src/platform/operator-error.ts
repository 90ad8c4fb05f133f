// In charge of errors that an operator can fix, unlike bugs: the command line prints the message without a stack trace.

export class OperatorError extends Error {}

/** The message of whatever was thrown, for a sentence that an operator reads. An error without a message has its name. */
export const wordsOf = (error: unknown): string =>
  error instanceof Error ? error.message || error.name : String(error)
