// In charge of the data and settings that node types can use. Nodes get tasks, and results of the creative lookup, in the form in
// which the API returns them.
import { isPlainObject } from '@atelier/contract/graph/definition.ts'
import type { KeyRing } from '../features/providers/key-ring.ts'
import { lookUp } from '../features/tasks/launches/lookup.ts'
import { readTask } from '../features/tasks/store.ts'
import { modelSettingsOf, type NodeOptions } from '../nodes/node-options.ts'
import type { Config } from '../platform/config.ts'
import type { Database } from '../platform/db.ts'
import type { Directory } from '../platform/directory.ts'
import { isUuid } from '../platform/ids.ts'

type Given = {
  database: Database
  directory: Directory
  config: Config
  /** Provider keys that admins entered in the app; if left out, only the keys in the settings are used. */
  keyRing?: Pick<KeyRing, 'keys'>
}

export function nodeOptions({ database, directory, config, keyRing }: Given): NodeOptions {
  return {
    models: { ...modelSettingsOf(config), ...(keyRing && { appKeys: keyRing.keys }) },
    creditPrice: config.creditPrice,
    labelRules: config.labelRules,
    allowedHosts: config.allowedHosts,
    readTask: async (taskId) => {
      const task = isUuid(taskId) ? await readTask(database.main, taskId) : undefined
      const record: unknown = task ? JSON.parse(task.text) : null
      return isPlainObject(record) && record.deleted_at === null ? record : null
    },
    lookUp: async (names) => {
      const parts = await lookUp(database, directory, { names: [...names] })
      return JSON.parse([...parts].join(''))
    },
  }
}
