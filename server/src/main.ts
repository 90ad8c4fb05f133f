// In charge of running the command that the command line names: serve, work, migrate, seed, move, backup, restore, files, token,
// sign-in, texts, reconcile, models or roles.
import { ConfigError } from './platform/config.ts'
import { productVersion } from './platform/version.ts'

type Command = { help: string; run: (args: string[]) => Promise<void> }

/** Each command imports its code only when it runs, because loading the whole service takes a second. */
const commands: Record<string, Command> = {
  serve: {
    help: 'start the service (the default)',
    run: async (args) => (await import('./commands/serve.ts')).serve(args),
  },
  work: {
    help: 'work on runs, besides the services on the same PostgreSQL',
    run: async (args) => (await import('./commands/work.ts')).work(args),
  },
  migrate: {
    help: 'bring the database schema up to this version',
    run: async (args) => (await import('./commands/migrate.ts')).migrateDatabase(args),
  },
  seed: {
    help: 'put the demo workspace into an empty database',
    run: async (args) => (await import('./commands/seed.ts')).seedDatabase(args),
  },
  move: {
    help: 'move the embedded database to PostgreSQL, to that of DATABASE_URL (move --help)',
    run: async (args) => (await import('./commands/move.ts')).moveDatabase(args),
  },
  backup: {
    help: 'back up database and files, also while the service runs (backup --to folder)',
    run: async (args) => (await import('./commands/backup.ts')).backUp(args),
  },
  restore: {
    help: 'put a backup, or a snapshot of the embedded database, in its place (restore --help)',
    run: async (args) => (await import('./commands/restore.ts')).restore(args),
  },
  files: {
    help: 'copy stored files between a folder and a bucket (files copy --from … --to …)',
    run: async (args) => (await import('./commands/files.ts')).manageFiles(args),
  },
  token: {
    help: 'issue a token through the running service (token --help)',
    run: async (args) => (await import('./commands/token.ts')).createToken(args),
  },
  'sign-in': {
    help: 'print a link that signs a browser in, through the running service',
    run: async (args) => (await import('./commands/sign-in.ts')).createSignInLink(args),
  },
  texts: {
    help: 'check the texts that the database keeps of cards and creatives (texts --help)',
    run: async (args) => (await import('./commands/texts.ts')).checkTexts(args),
  },
  reconcile: {
    help: "compare a provider's own export with the ledger (reconcile --help)",
    run: async (args) => (await import('./commands/reconcile.ts')).reconcileExport(args),
  },
  models: {
    help: "compare the list of models with the providers' own lists (models --help)",
    run: async (args) => (await import('./commands/models.ts')).updateModels(args),
  },
  roles: {
    help: 'list whose role or access the next start would change (roles --help)',
    run: async (args) => (await import('./commands/roles.ts')).listRoleChanges(args),
  },
}

const [name = 'serve', ...args] = process.argv.slice(2)
const command = commands[name]

if (args.includes('--version') || name === '--version') {
  console.log(productVersion)
} else if (!command) {
  const list = Object.entries(commands).map(([word, { help }]) => `  ${word.padEnd(9)} ${help}`)
  console.error(`There is no command “${name}”. Commands:\n${list.join('\n')}`)
  process.exitCode = 64
} else {
  await command.run(args).catch(async (error: unknown) => {
    console.error((await import('./commands/failures.ts')).sayFailure(error, name))
    process.exit(error instanceof ConfigError ? 78 : 1)
  })
}
