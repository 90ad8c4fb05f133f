// In charge of parsing the limits on calls to each provider, such as `*=32,api.openai.com=100/3000`.

/**
 * Limits by provider name; `*` applies to all providers without an entry. `calls`: how many at a time. `perMinute`: how many may
 * begin in a minute; null if there is no such limit.
 */
export type ProviderLimits = ReadonlyMap<string, { calls: number; perMinute: number | null }>

export const defaultProviderLimits = '*=32'

export function parseProviderLimits(text: string): ProviderLimits {
  const own = limitsIn(text)
  return own.has('*') ? own : new Map([...limitsIn(defaultProviderLimits), ...own])
}

function limitsIn(text: string): ProviderLimits {
  const listed = text.split(',').map((part) => part.trim())
  const limits = new Map<string, { calls: number; perMinute: number | null }>()
  for (const one of listed) {
    const [, name = '', calls, perMinute] = /^([^\s=,]{1,200})=([1-9]\d{0,5})(?:\/([1-9]\d{0,5}))?$/.exec(one) ?? []
    if (name === '') throw new Error(`must list limits such as *=32 or api.openai.com=100/3000, not “${one}”`)
    if (limits.has(name)) throw new Error(`names ${name} twice`)
    limits.set(name, { calls: Number(calls), perMinute: perMinute === undefined ? null : Number(perMinute) })
  }
  return limits
}
