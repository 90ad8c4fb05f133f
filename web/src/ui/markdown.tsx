// In charge of rendering Markdown as React elements, never as HTML, for help texts of node types and for notes on a canvas.
// Headings, lists, quotes, code, emphasis and links are supported; everything else is shown as plain text.
import { Fragment, type ReactNode } from 'react'
import { type Block, blocksOf } from './markdown-blocks.ts'

export const Help = ({ text }: { text: string }) => (
  <div className="help-text">
    <Markdown text={text} />
  </div>
)

export const Markdown = ({ text }: { text: string }) => (
  <>
    {blocksOf(text).map((block, index) => (
      <BlockView key={index} block={block} />
    ))}
  </>
)

function BlockView({ block }: { block: Block }) {
  const { lines } = block
  const entries = lines.map((line, index) => <li key={`${index} ${line}`}>{spans(line)}</li>)
  switch (block.kind) {
    // A heading is rendered as a paragraph, because a heading element would disturb the order of the page's own headings.
    case 'head':
      return (
        <p className="markdown-head" data-level={block.level}>
          {spans(lines.join(' '))}
        </p>
      )
    case 'code':
      return (
        <pre>
          <code>{lines.join('\n')}</code>
        </pre>
      )
    case 'quote':
      return <blockquote>{spans(lines.join(' '))}</blockquote>
    case 'bullets':
      return <ul>{entries}</ul>
    case 'numbers':
      return <ol>{entries}</ol>
    case 'text':
      return <p>{spans(lines.join(' '))}</p>
  }
}

/** Renders one line of Markdown, for example a description. */
export const Inline = ({ text }: { text: string }) => <>{spans(text)}</>

const marked = /(\*\*[^*]+\*\*|`[^`]+`|\*[^*\s][^*]*\*|\[[^\]]+\]\(https?:\/\/[^\s)]+\))/

function spans(text: string): ReactNode[] {
  return text.split(marked).map((part, index) => {
    const key = `${index}-${part}`
    if (index % 2 === 0) return <Fragment key={key}>{part}</Fragment>
    if (part.startsWith('**')) return <strong key={key}>{part.slice(2, -2)}</strong>
    if (part.startsWith('`')) return <code key={key}>{part.slice(1, -1)}</code>
    if (part.startsWith('*')) return <em key={key}>{part.slice(1, -1)}</em>
    const [, words = part, address = ''] = /^\[([^\]]+)\]\((.*)\)$/.exec(part) ?? []
    return (
      <a key={key} href={address} target="_blank" rel="noreferrer">
        {words}
      </a>
    )
  })
}
