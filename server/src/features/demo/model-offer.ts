// In charge of the text in the demo that states the name and the price of the operator's image model, before a run is started.
import { chosenModel, priceWords } from '@atelier/contract/graph/model-catalogue.ts'
import { modelSettingsOf } from '../../nodes/node-options.ts'
import { splitName } from '../../nodes/outside/providers.ts'
import type { Settings } from './stage.ts'

/** Returns the text with the model's name and price; null if the settings name no provider for the image model. */
export function modelOffer(config: Settings): string | null {
  const settings = modelSettingsOf(config)
  const connection = settings.connections.get(splitName(config.imageModel).provider)
  if (!connection) return null
  // The catalogue's price is stated only if the provider's own address is used (`url` is null): a server at another address may
  // charge another price for a model of the same name.
  const known =
    connection.url === null ? chosenModel({ models: settings.catalogue, default: config.imageModel }, '') : null
  return `${config.imageModel}: ${priceWords(known?.price ?? null)}`
}
