// In charge of the type of the shared services that features receive; app.ts creates them.
import type { NodeTypes } from '@atelier/contract/graph/graph-rules.ts'
import type { Auth } from './auth.ts'
import type { Config } from './config.ts'
import type { Cursors } from './cursor.ts'
import type { Database } from './db.ts'
import type { Directory } from './directory.ts'
import type { FileLinks } from './file-links.ts'
import type { FileStore } from './file-store.ts'
import type { SessionTokens } from './session-tokens.ts'

export type Services = {
  database: Database
  config: Config
  /** The people and products whose names responses contain. */
  directory: Directory
  cursors: Cursors
  auth: Auth
  files: FileStore
  fileLinks: FileLinks
  sessionTokens: SessionTokens
  /** The registry of node types; this layer may only use this part of it. */
  nodeTypes: { readonly wire: NodeTypes }
}
