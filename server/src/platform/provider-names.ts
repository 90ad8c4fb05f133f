// In charge of the names of model providers, as settings use them, and of what can be a model's name. A test compares the names with
// the providers themselves, which are in a layer above the settings.

export const providerNames = ['openai', 'google', 'anthropic', 'fal', 'replicate', 'bfl', 'compatible', 'comfyui']

/** The providers without a usual address: only the operator knows where they are. */
export const withoutAddress = ['compatible', 'comfyui']

/**
 * Parses the name of a default model, as `provider:model` or `model`. Whether there is such a model is not known here: an operator's
 * list, or a service of the operator's own, may have any. So only what no model can be called by is refused.
 */
export function modelName(text: string): string {
  if (!/^\S+$/.test(text)) throw new Error('must be the name of a model, without blanks')
  const [prefix = '', rest] = text.split(/:(.*)/s)
  if (providerNames.includes(prefix) && rest === '') throw new Error(`must name a model of ${prefix} after the colon`)
  return text
}

/**
 * Whether no model can have this name, because a provider that does not exist stands before its colon. A service of the operator's
 * own may have names with colons, such as `mistral:7b`, and so do the fine-tuned models of OpenAI itself: `ft:gpt-…`.
 */
export function isOfNobody(name: string, ownService: boolean, listed: readonly string[]): boolean {
  const [, prefix] = /^([a-z]+):/.exec(name) ?? []
  if (prefix === undefined || prefix === 'ft' || ownService) return false
  return !providerNames.includes(prefix) && !listed.includes(`openai:${name}`)
}
