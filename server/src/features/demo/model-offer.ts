// In charge of what the demo says of the operator's image model before somebody starts it: which it is, and what it costs.
import { chosenModel, priceWords } from '@atelier/contract/graph/model-catalogue.ts'
import { modelSettingsOf } from '../../nodes/node-options.ts'
import { splitName } from '../../nodes/outside/providers.ts'
import type { Settings } from './stage.ts'

/** Null where the settings name no provider of it. */
export function modelOffer(config: Settings): string | null {
  const settings = modelSettingsOf(config)
  const connection = settings.connections.get(splitName(config.imageModel).provider)
  if (!connection) return null
  // What stands at another address may have another price for the same name.
  const known =
    connection.url === null ? chosenModel({ models: settings.catalogue, default: config.imageModel }, '') : null
  return `${config.imageModel}: ${priceWords(known?.price ?? null)}`
}
