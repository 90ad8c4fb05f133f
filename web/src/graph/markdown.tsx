// In charge of the help of node types: the little of Markdown they use, as elements and never as HTML.
import { Fragment, type ReactNode } from 'react'

export function Help({ text }: { text: string }) {
  const blocks = text.trim().split(/\n\s*\n/)
  return (
    <div className="help-text">
      {blocks.map((block, index) => (
        <Block key={index} text={block} />
      ))}
    </div>
  )
}

function Block({ text }: { text: string }) {
  const lines = text.split('\n')
  if (!lines.some((line) => line.startsWith('- '))) return <p>{spans(text.replaceAll('\n', ' '))}</p>
  const entries = text.split(/\n?^- /m).filter((entry) => entry.trim() !== '')
  return (
    <ul>
      {entries.map((entry) => (
        <li key={entry}>{spans(entry.replaceAll(/\s*\n\s*/g, ' '))}</li>
      ))}
    </ul>
  )
}

/** A line of it, as descriptions are. */
export const Inline = ({ text }: { text: string }) => <>{spans(text)}</>

/** Strong and code; everything else stays the text it is. */
function spans(text: string): ReactNode[] {
  return text.split(/(\*\*[^*]+\*\*|`[^`]+`)/).map((part, index) => {
    const key = `${index}-${part}`
    if (part.startsWith('**')) return <strong key={key}>{part.slice(2, -2)}</strong>
    if (part.startsWith('`')) return <code key={key}>{part.slice(1, -1)}</code>
    return <Fragment key={key}>{part}</Fragment>
  })
}
