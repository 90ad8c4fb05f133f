// In charge of naming what features are given: everything shared, wired in one place (app.ts).
import type { Auth } from './auth.ts'
import type { Config } from './config.ts'
import type { Cursors } from './cursor.ts'
import type { Database } from './db.ts'
import type { FileStore } from './file-store.ts'

export type Services = { database: Database; config: Config; cursors: Cursors; auth: Auth; files: FileStore }
