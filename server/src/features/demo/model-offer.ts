// In charge of what the demo says about the operator's image model before a run is started: its name and its price.
import { chosenModel, priceWords } from '@atelier/contract/graph/model-catalogue.ts'
import { modelSettingsOf } from '../../nodes/node-options.ts'
import { splitName } from '../../nodes/outside/providers.ts'
import type { Settings } from './stage.ts'

/** Null if the settings name no provider of an image model. */
export function modelOffer(config: Settings): string | null {
  const settings = modelSettingsOf(config)
  const connection = settings.connections.get(splitName(config.imageModel).provider)
  if (!connection) return null
  // Another address may charge another price for a model of the same name.
  const known =
    connection.url === null ? chosenModel({ models: settings.catalogue, default: config.imageModel }, '') : null
  return `${config.imageModel}: ${priceWords(known?.price ?? null)}`
}
