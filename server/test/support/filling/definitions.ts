// In charge of the graphs in filled databases: paid texts, a gate, slow pictures, and a node that fails.
import { definitionOf } from '../definitions.ts'

const lines = (text: string) => ({ type: 'input.text', params: { value: text } })
const small = { width: 64, height: 64, format: 'svg' } as const

/** Makes a paid text for each line. */
export const copy = (text: string) =>
  definitionOf(
    {
      lines: lines(text),
      parts: { type: 'text.split' },
      copy: { type: 'llm.chat', params: { prompt: 'A headline about {{ line }}', model: 'a-model' }, each: ['line'] },
      all: { type: 'list.collect' },
    },
    'lines.text > parts.text',
    'parts.parts > copy.line',
    'copy.text > all.values',
  )

/** Makes a paid text for each line; then a user picks one of the texts at a gate, and a picture is made from that text. */
export const choice = (text: string) => {
  const { nodes, edges } = copy(text)
  const more = definitionOf(
    {
      pick: { type: 'gate.choose', params: { title: 'Which headline goes on?' } },
      picture: { type: 'sample.image', params: small },
    },
    'all.list > pick.options',
    'pick.first > picture.prompt',
  )
  return { schema: 1, nodes: { ...nodes, ...more.nodes }, edges: [...edges, ...more.edges] }
}

/** Makes a picture for each line; each picture takes `delayMs`. */
export const slow = (text: string, delayMs: number) =>
  definitionOf(
    {
      lines: lines(text),
      parts: { type: 'text.split' },
      picture: { type: 'sample.image', params: { ...small, delay_ms: delayMs, credits: 3 }, each: ['prompt'] },
    },
    'lines.text > parts.text',
    'parts.parts > picture.prompt',
  )

/** Makes a picture for each line, as `slow` does, and in parallel a paid call that the provider never answers. */
export const interrupted = (text: string, delayMs: number) => {
  const { nodes, edges } = slow(text, delayMs)
  const held = { version: 1, type: 'llm.chat', params: { prompt: 'held', model: 'a-model' }, inputs: {}, each: [] }
  return { schema: 1, nodes: { ...nodes, held }, edges }
}

/** A text that is made without calling a provider. */
export const unpaid = definitionOf({ text: { type: 'sample.chat', params: { prompt: 'A headline about curtains' } } })

export const failing = definitionOf({
  first: lines('kept'),
  broken: { type: 'sample.chat', params: { prompt: 'Never written', fail: 'always' } },
})
