// In charge of naming what features are given: everything shared, wired in one place (app.ts).
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
  /** The people and products that answers name. */
  directory: Directory
  cursors: Cursors
  auth: Auth
  files: FileStore
  fileLinks: FileLinks
  sessionTokens: SessionTokens
  /** The registry of node types, as far as this layer may know it. */
  nodeTypes: { readonly wire: NodeTypes }
}
