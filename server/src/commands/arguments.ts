// In charge of the arguments of commands: their options, the help, and the errors that end with it.
import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'
import { filesAddress } from '../platform/config-values.ts'
import { OperatorError, wordsOf } from '../platform/operator-error.ts'

/** An error about arguments: what is wrong with them, then the command's help. */
export const argumentError = (what: string, help: string): OperatorError => new OperatorError(`${what}\n\n${help}`)

/**
 * Returns the values of `options`, or null if --help is asked for: the help is then printed by `say`, and the command does nothing.
 * Throws `argumentError` for an option that is not among them, one without its value, and an argument that belongs to no option.
 */
export function readOptions<const O extends ParseArgsOptionsConfig>(
  args: string[],
  help: string,
  options: O,
  say: (text: string) => void = console.log,
) {
  if (args.includes('--help')) {
    say(help)
    return null
  }
  try {
    return parseArgs({ args, options }).values
  } catch (error) {
    throw argumentError(wordsOf(error), help)
  }
}

/** Returns the value of an option that takes a folder or a bucket; throws if the value looks like a bucket's address and is none. */
export function addressOf(option: string, text: string): string {
  try {
    return filesAddress(text)
  } catch (error) {
    throw new OperatorError(`${option} ${wordsOf(error)}.`)
  }
}
