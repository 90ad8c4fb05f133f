// In charge of parsing server-sent events from a stream whose pieces may begin and end at any position. Pure, except that the
// parser keeps the text of an event that has not ended yet.

export type ServerEvent = { name: string; data: string }

/** Creates a parser: it takes the next piece of text and returns the events that end in this piece. Comments are ignored. */
export function createEventParser(): (piece: string) => ServerEvent[] {
  let rest = ''
  return (piece) => {
    const blocks = (rest + piece.replaceAll('\r', '')).split('\n\n')
    rest = blocks.pop() ?? ''
    return blocks.flatMap((block) => eventOf(block.split('\n')))
  }
}

function eventOf(lines: readonly string[]): ServerEvent[] {
  const valuesOf = (field: string) =>
    lines.filter((line) => line.startsWith(`${field}:`)).map((line) => line.slice(field.length + 1).replace(/^ /, ''))
  const data = valuesOf('data')
  return data.length === 0 ? [] : [{ name: valuesOf('event').at(-1) ?? 'message', data: data.join('\n') }]
}
