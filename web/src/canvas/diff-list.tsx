// In charge of showing the differences between two definitions: nodes and edges that were added, removed or changed.
import { type Diff, isSame } from './diff.ts'

const signs = { added: '+', removed: '−', changed: '±' } as const

export function DiffList({ diff, same }: { diff: Diff; same: string }) {
  if (isSame(diff)) return <p className="hint">{same}</p>
  return (
    <ul className="diff">
      {diff.nodes.map(({ id, kind, details }) => (
        <li key={`n${id}`} data-kind={kind}>
          <span className="diff-sign" aria-hidden="true">
            {signs[kind]}
          </span>
          <div>
            <strong>{id}</strong> <span className="hint">node {kind}</span>
            {details.map((detail) => (
              <div key={detail} className="mono diff-detail">
                {detail}
              </div>
            ))}
          </div>
        </li>
      ))}
      {diff.edges.map(({ name, kind, words }) => (
        <li key={`e${name}`} data-kind={kind}>
          <span className="diff-sign" aria-hidden="true">
            {signs[kind]}
          </span>
          <div>
            <span className="mono">{words}</span> <span className="hint">edge {kind}</span>
          </div>
        </li>
      ))}
    </ul>
  )
}
