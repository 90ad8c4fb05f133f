// In charge of ending the process if its embedded database cannot be used any more. A PostgreSQL server would end in these cases too.

/** Ends the process at once, without closing the database, which could do harm. `why`: a sentence for the operator. */
export function endProcess(why: string): never {
  process.stderr.write(`The embedded database ends: ${why}\n`)
  process.exit(1)
}
