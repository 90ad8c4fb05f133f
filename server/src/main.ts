// In charge of the command line: serve | migrate | seed | token.

import { migrateDatabase } from './commands/migrate.ts'
import { seedDatabase } from './commands/seed.ts'
import { serve } from './commands/serve.ts'
import { createToken } from './commands/token.ts'
import { ConfigError } from './platform/config.ts'
import { OperatorError } from './platform/operator-error.ts'

const commands: Record<string, { run: (args: string[]) => Promise<void>; help: string }> = {
  serve: { run: serve, help: 'start the service (the default)' },
  migrate: { run: migrateDatabase, help: 'bring the database schema up to this version' },
  seed: { run: seedDatabase, help: 'put the demo workspace into an empty database' },
  token: { run: createToken, help: 'issue a token through the running service (token --help)' },
}

const [name = 'serve', ...args] = process.argv.slice(2)
const command = commands[name]

if (!command) {
  const list = Object.entries(commands).map(([word, { help }]) => `  ${word.padEnd(8)} ${help}`)
  console.error(`There is no command “${name}”. Commands:\n${list.join('\n')}`)
  process.exitCode = 64
} else {
  await command.run(args).catch((error: unknown) => {
    // What an operator can act on is told in a sentence; anything else is a bug and keeps its stack.
    console.error(error instanceof OperatorError ? error.message : error)
    process.exit(error instanceof ConfigError ? 78 : 1)
  })
}
