// In charge of models for tests: their providers are fake servers on this machine.
import type { ModelSettings } from '../../src/nodes/node-options.ts'
import { guardedAgent, trustedAgent } from '../../src/nodes/outside/guard.ts'
import { createModels, type Models } from '../../src/nodes/outside/providers.ts'
import type { Outside } from './outside.ts'

/** Settings with one provider at `url`; with no provider if `url` is null. */
export function settingsFor(
  url: string | null,
  more: Partial<ModelSettings> & { provider?: string } = {},
): ModelSettings {
  const { provider = 'openai', ...rest } = more
  const connections = new Map(url === null ? [] : [[provider, { url, key: 'sk-a-very-secret-key' }]])
  return { connections, chatModel: 'small', imageModel: 'painter', catalogue: [], pollMs: 1, ...rest }
}

/** Settings of models whose provider is the fake server `outside`. */
export const modelsAt = (
  outside: Pick<Outside, 'url'>,
  provider = 'openai',
  allowed: string[] = [],
  imageModel = 'painter',
): Models =>
  createModels(settingsFor(`${outside.url}/v1`, { provider, imageModel }), {
    trusted: trustedAgent(),
    guarded: guardedAgent(allowed),
  })

/** The models of several providers on this machine, by provider name. */
export const modelsOf = (urls: Readonly<Record<string, string>>): Models =>
  createModels(
    {
      ...settingsFor(null),
      connections: new Map(
        Object.entries(urls).map(([name, url]) => [
          name,
          { url: `${url}${name === 'comfyui' ? '' : '/v1'}`, key: 'sk-a-secret' },
        ]),
      ),
    },
    { trusted: trustedAgent(), guarded: guardedAgent([]) },
  )
