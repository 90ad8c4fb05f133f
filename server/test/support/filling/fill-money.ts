// In charge of filling a service with what is about money: prices, budgets, approvals, spending, and new takes because of comments.
// Version 0.2.0 has none of these.
import { definitionOf } from '../definitions.ts'
import type { Ids, Speaker } from './fill.ts'
import { until, untilStatus } from './until.ts'

/** A list of models for `ATELIER_MODELS`: the price of the model that the graph below asks. */
export const pricedModels = {
  models: [
    {
      id: 'openai:priced',
      kinds: ['chat'],
      price: {
        ...{ currency: 'USD', per: 'million_tokens', amount: 4_500_000, amount_in: 750_000 },
        source: { url: 'https://example.com/prices', read: '2026-11-27' },
      },
    },
  ],
}

/** Makes a text for each line, which has a price, and a picture from each text. */
const priced = (lines: string) =>
  definitionOf(
    {
      lines: { type: 'input.text', params: { value: lines } },
      parts: { type: 'text.split' },
      copy: {
        ...{ type: 'llm.chat', each: ['line'] },
        params: { prompt: 'A headline about {{ line }}', model: 'openai:priced', max_tokens: 200 },
      },
      picture: { type: 'sample.image', params: { width: 64, height: 64, format: 'svg' }, each: ['prompt'] },
    },
    'lines.text > parts.text',
    'parts.parts > copy.line',
    'copy.text > picture.prompt',
  )

const note = { kind: 'note', text: '**Why** these lines', colour: 'yellow', x: 0, y: 0, width: 240, height: 140 }

export async function fillMoney(speaker: Speaker, { writer }: Ids): Promise<Ids> {
  const { ask } = speaker
  // A budget of everybody would refuse the other runs, whose model has no price.
  await ask('POST', '/budgets', { person_id: writer, period: 'always', amount: 5_000_000 })
  const graph = (lines: string) =>
    ask('POST', '/graphs', {
      ...{ name: `Priced ${lines.split('\n')[0]}`, definition: priced(lines) },
      ui_state: { annotations: { 'note/n1': note } },
    })

  const task = await ask('POST', '/tasks', { name: 'Paid for', status: 'tech_check' })
  const spent = await ask('POST', `/graphs/${(await graph('linen\nwool')).id}/runs`, {
    ...{ execute: true, task_id: task.id, pinned_task_id: task.id, max_cost: 1_000_000 },
  })
  await untilStatus(speaker, spent.id, 'succeeded')
  await ask('POST', `/runs/${spent.id}/export`, { outputs: [{ node_id: 'picture' }] })
  const { items: creatives } = await ask('GET', `/tasks/${task.id}/creatives`)
  for (const [{ id }, verdict] of [
    [creatives[0], 'use'],
    [creatives[1], null],
  ]) {
    const comment = await ask('POST', `/creatives/${id}/review-comments`, { text: 'Calmer, please.' })
    await ask('POST', `/review-comments/${comment.id}/takes`)
    const take = async () => (await ask('GET', `/creatives/${id}/review-comments`)).items[0].take
    await until(async () => (await take())?.state === 'proposed')
    if (verdict !== null) await ask('POST', `/review-takes/${(await take()).id}/verdict`, { verdict })
  }

  const { token } = await ask('POST', '/tokens', { name: 'Of Maren', scopes: ['read', 'runs:write'], user_id: writer })
  const maren = speaker.as(token)
  await ask('PATCH', '/money', { approval_above: 1 })
  let used = ''
  for (const [state, approved] of Object.entries({ open: null, approved: true, declined: false, used: true })) {
    // Each text is new, because one from the cache costs nothing and needs no approval.
    const { id } = await maren.ask('POST', `/graphs/${(await graph(state)).id}/runs`, {})
    const approval = await maren.ask('POST', `/runs/${id}/approvals`, {})
    if (approved !== null) await ask('POST', `/approvals/${approval.id}/decision`, { approved })
    if (state === 'used') used = id
  }
  await maren.ask('POST', `/runs/${used}/start`, {})
  await untilStatus(speaker, used, 'succeeded')
  await ask('PATCH', '/money', { approval_above: null })
  return { task_paid: task.id }
}
