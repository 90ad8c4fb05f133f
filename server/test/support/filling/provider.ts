// In charge of a language model for filling databases: a web server on this machine with the OpenAI API that returns a
// different text at every call, as a model does. It never answers a prompt that contains the word “held”.
import { createServer } from 'node:http'

/**
 * The node cache's key for a text includes the provider's address. Tests configure a later version with the same address but run
 * no server there, so that a call fails if the cache should have answered it.
 */
const port = 19_437
export const providerSettings = { OPENAI_BASE_URL: `http://127.0.0.1:${port}/v1`, OPENAI_API_KEY: 'sk-of-nobody' }

export async function startProvider(): Promise<{ close(): Promise<void> }> {
  let calls = 0
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      calls += 1
      if (Buffer.concat(chunks).includes('held')) return
      const message = { content: `Sleep cooler, take ${calls}` }
      const body = { choices: [{ message, finish_reason: 'stop' }], usage: { total_tokens: 90 } }
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    })
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  return {
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
