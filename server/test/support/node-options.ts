// In charge of node types of a service that has nothing outside itself: no models, no hosts, no tasks.
import type { NodeOptions } from '../../src/nodes/node-options.ts'

export const nothingOutside: NodeOptions = {
  models: null,
  allowedHosts: [],
  labelRules: [],
  readTask: async () => null,
  lookUp: async () => [],
}
