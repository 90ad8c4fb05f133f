// In charge of Sketch, a provider that this guide has made up: pictures from words, at an address of its own.
import { isPlainObject } from '@atelier/contract/graph/definition.ts'
import { NodeFailure } from '../../server/src/nodes/node-type.ts'
import { createExchange } from '../../server/src/nodes/outside/exchange.ts'
import type { Provider } from '../../server/src/nodes/outside/provider.ts'
import { parse } from '../../server/src/nodes/outside/refusal.ts'

export const sketch: Provider = {
  name: 'sketch',
  title: 'Sketch',
  url: 'https://api.sketch.example/v1',
  models: (connection) => ({
    image: async (model, { prompt, size }, call) => {
      const { fetch, isCharged, charge } = createExchange(connection, call)
      const headers = { 'content-type': 'application/json', authorization: `Bearer ${connection.key}` }
      const body = JSON.stringify({ model, words: prompt, size })
      const answer = parse(await (await fetch(`${connection.url}/pictures`, { method: 'POST', headers, body })).text())
      const address = isPlainObject(answer) ? String(answer.picture) : ''
      const picture = await fetch(address)
      if (!picture.ok) {
        const words = `Sketch does not have the picture any more (${picture.status}).`
        if (isCharged()) throw new NodeFailure(`${words} It was paid for before.`)
        await charge()
        throw new NodeFailure(`${words} It was paid for.`, call)
      }
      const made = Buffer.from(await picture.arrayBuffer())
      return { made, note: null, usage: null, isCharged: isCharged(), charge }
    },
  }),
}
