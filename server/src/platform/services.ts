// In charge of the type of the services that all features share; app.ts creates the services.
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
  /** The names of people and products, for use in responses. */
  directory: Directory
  cursors: Cursors
  auth: Auth
  files: FileStore
  fileLinks: FileLinks
  sessionTokens: SessionTokens
  /** The registry of node types, reduced to the part that this layer may use. */
  nodeTypes: { readonly wire: NodeTypes }
}
