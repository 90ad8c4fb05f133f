// In charge of running external programs for the rehearsal.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const execute = promisify(execFile)

/** Runs a program and returns its output. If the program fails, the error contains what the program printed as errors. */
export async function output(program: string, args: readonly string[]): Promise<string> {
  const { stdout } = await execute(program, args, { maxBuffer: 64_000_000 })
  return stdout
}

export const run = async (program: string, args: readonly string[]): Promise<void> => void (await output(program, args))
