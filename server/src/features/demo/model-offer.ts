// In charge of what the demo says about the operator's image model before a run is started: its name and its price.
import { chosenModel, priceWords } from '@atelier/contract/graph/model-catalogue.ts'
import { modelSettingsOf } from '../../nodes/node-options.ts'
import { splitName } from '../../nodes/outside/providers.ts'
import type { Settings } from './stage.ts'

/** The offer of the operator's image model; null if the settings name no provider for the model. */
export function modelOffer(config: Settings): string | null {
  const settings = modelSettingsOf(config)
  const connection = settings.connections.get(splitName(config.imageModel).provider)
  if (!connection) return null
  // A provider at another address may charge another price for a model with the same name.
  const known =
    connection.url === null ? chosenModel({ models: settings.catalogue, default: config.imageModel }, '') : null
  return `${config.imageModel}: ${priceWords(known?.price ?? null)}`
}
