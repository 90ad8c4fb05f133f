// In charge of the panel below the canvas that shows a run started inside the editor: its progress, cost, failures and results.
// Questions of gates are answered on the page of the run, to which the panel has a link.
import { busy } from '@atelier/contract/graph/run-rules.ts'
import { ActionIcon, Anchor, Button, Tooltip } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { isOver } from '../canvas/briefs.ts'
import type { CardView } from '../canvas/cards.ts'
import { RunMark } from '../canvas/status-mark.tsx'
import type { Run } from '../run/queries.ts'
import { Icon } from '../ui/icons.tsx'
import './try-dock.css'
import { Value } from '../run/value.tsx'
import type { EditorRun } from './use-try.ts'
import '../run/value.css'
import { creditWords } from '../canvas/words.ts'

type Props = { trying: EditorRun; views: ReadonlyMap<string, CardView>; selected: string | null }

export function TryDock({ trying, views, selected }: Props) {
  const { run, error, isOld, cancel, close } = trying
  if (!run) return error === null ? null : <DockError words={error} close={close} />
  const states = Object.entries(run.nodes).filter(([id]) => views.has(id))
  const over = states.filter(([, { status }]) => isOver(status)).length
  const failed = states.filter(([, { status }]) => status === 'failed')
  return (
    <section className="try-dock" aria-label="Run here">
      <h2 className="visually-hidden">Results</h2>
      <div className="try-bar" role="status">
        <RunMark status={run.status} />
        <span className="hint">
          {over} of {views.size} {views.size === 1 ? 'node' : 'nodes'} · {creditWords(run.credits_total)} paid
        </span>
        {isOld && !busy(run.status) ? <span className="mark">The graph has changed since</span> : null}
        <span className="try-actions">
          {busy(run.status) ? (
            <Button size="compact-xs" variant="default" onClick={() => void cancel()}>
              Cancel
            </Button>
          ) : null}
          {run.status === 'awaiting_input' ? (
            <Button
              size="compact-xs"
              renderRoot={(props) => <Link to="/runs/$run_id" params={{ run_id: run.id }} {...props} />}
            >
              Answer
            </Button>
          ) : (
            <Anchor
              className="crumb"
              renderRoot={(props) => <Link to="/runs/$run_id" params={{ run_id: run.id }} {...props} />}
            >
              Open the run
            </Anchor>
          )}
          <CloseDock close={close} />
        </span>
      </div>
      <div className="try-results">
        {failed.slice(0, 3).map(([id, { error }]) => (
          <p key={id} className="notice" data-tone="danger">
            <strong>{id}</strong> {error}
          </p>
        ))}
        {failed.length === 0 && (run.status === 'failed' || run.status === 'queued') && run.error ? (
          <p className="notice" data-tone={run.status === 'failed' ? 'danger' : 'warn'}>
            {run.error}
          </p>
        ) : null}
        {resultsOf(run, views, selected).map(({ id, title, port, value }) => (
          <section key={`${id} ${port}`}>
            <h3 className="side-title">
              {id} · {title}
            </h3>
            <Value value={value} place={{ run: run.id, node: id, port }} />
          </section>
        ))}
      </div>
    </section>
  )
}

function DockError({ words, close }: { words: string; close: () => void }) {
  return (
    <section className="try-dock" aria-label="Run here">
      <div className="try-bar" role="status">
        <span>{words}</span>
        <span className="try-actions">
          <CloseDock close={close} />
        </span>
      </div>
    </section>
  )
}

const CloseDock = ({ close }: { close: () => void }) => (
  <Tooltip label="Close; the run stays among the graph’s runs">
    <ActionIcon aria-label="Close the results" onClick={close}>
      <Icon name="close" />
    </ActionIcon>
  </Tooltip>
)

type Result = { id: string; title: string; port: string; value: unknown }

/** The outputs of the selected node. If `selected` is null, those of the first six nodes without outgoing edges. */
function resultsOf({ nodes }: Run, views: ReadonlyMap<string, CardView>, selected: string | null): Result[] {
  const chosen = selected === null ? undefined : views.get(selected)
  const ends = [...views.values()].filter(({ outputs }) => outputs.every(({ fed }) => !fed))
  return (chosen ? [chosen] : ends.slice(0, 6)).flatMap((view) =>
    view.outputs.flatMap(({ name, title }) => {
      const value = nodes[view.id]?.outputs[name]
      return value === undefined ? [] : [{ id: view.id, title, port: name, value }]
    }),
  )
}
