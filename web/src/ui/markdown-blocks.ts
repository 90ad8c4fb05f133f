// In charge of splitting a Markdown text into blocks: paragraphs, headings, lists, quotes and code. Pure.
export type Block =
  | { kind: 'text' | 'quote' | 'code'; lines: string[] }
  | { kind: 'head'; level: number; lines: string[] }
  | { kind: 'bullets' | 'numbers'; lines: string[] }

const fence = /^\s*```/

/** Splits a text into blocks. A line belongs to the open block, unless it begins a new one; an empty line ends the open block. */
export function blocksOf(text: string): Block[] {
  const blocks: Block[] = []
  let open: Block | null = null
  for (const line of text.split('\n')) {
    if (open?.kind === 'code' ? fence.test(line) : line.trim() === '') {
      open = null
      continue
    }
    const begun = begunBy(line, open)
    if (begun === null) goOn(open, line)
    else if (open && begun.kind === open.kind) open.lines.push(...begun.lines)
    else {
      blocks.push(begun)
      open = begun.kind === 'head' ? null : begun
    }
  }
  return blocks
}

function goOn(open: Block | null, line: string): void {
  if (open?.kind === 'bullets' || open?.kind === 'numbers') open.lines.push(`${open.lines.pop() ?? ''} ${line.trim()}`)
  else open?.lines.push(open.kind === 'code' ? line : line.trim())
}

/** Returns the block that the line begins, or null if the line continues the open block. */
function begunBy(line: string, open: Block | null): Block | null {
  if (open?.kind === 'code') return null
  if (fence.test(line)) return { kind: 'code', lines: [] }
  const head = /^(#{1,6})\s+(.*)/.exec(line)
  if (head) return { kind: 'head', level: Math.min(3, head[1]?.length ?? 1), lines: [head[2] ?? ''] }
  const bullet = /^\s*[-*+]\s+(.*)/.exec(line)
  if (bullet) return { kind: 'bullets', lines: [bullet[1] ?? ''] }
  const number = /^\s*\d{1,9}[.)]\s+(.*)/.exec(line)
  if (number) return { kind: 'numbers', lines: [number[1] ?? ''] }
  const quote = /^>\s?(.*)/.exec(line)
  if (quote) return { kind: 'quote', lines: [quote[1] ?? ''] }
  return open === null ? { kind: 'text', lines: [line.trim()] } : null
}
