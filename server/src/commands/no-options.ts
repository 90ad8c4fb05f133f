// In charge of the arguments of commands that take none besides --help.
import { parseArgs } from 'node:util'
import { OperatorError } from '../platform/operator-error.ts'

/** Whether the arguments ask for help, which is then printed, and the command does nothing. Throws if there are other arguments. */
export function printsHelp(args: string[], help: string): boolean {
  const { help: isAsked = false } = readArguments(args, help)
  if (isAsked) console.log(help)
  return isAsked
}

function readArguments(args: string[], help: string) {
  try {
    return parseArgs({ args, options: { help: { type: 'boolean' } } }).values
  } catch (error) {
    throw new OperatorError(`${error instanceof Error ? error.message : error}\n\n${help}`)
  }
}
