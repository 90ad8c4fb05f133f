// In charge of the menu that starts a run inside the editor: of the whole graph, of the graph up to a node, of one node again, or
// of the first row of each list.
import { Button, Menu } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { NodeIcon } from '../canvas/node-icons.tsx'
import { planWords } from '../canvas/words.ts'
import { pricesOf } from '../graph/prices.ts'
import { onlyThis } from '../graph/trying.ts'
import type { Editor } from '../graph/use-editor.ts'
import { planQuery } from '../run/queries.ts'
import { Icon } from '../ui/icons.tsx'
import type { EditorRun } from './use-try.ts'

type Props = {
  trying: EditorRun
  editor: Pick<Editor, 'definition' | 'types'>
  node: string | null
  blocked: string | null
  /** Opens the dialog that creates a run with a page of its own, for a task or only as a draft. */
  forTask: () => void
}

export function RunHere({ trying, editor, node, blocked, forTask }: Props) {
  const { start, isBusy, isStarting } = trying
  const hasMade = node !== null && trying.run?.nodes[node] !== undefined
  const isOff = blocked !== null || isBusy
  // While a start waits, perhaps for what the user says in a dialog, the buttons are not disabled: the dialog gives the focus back.
  const isRunning = isBusy && !isStarting
  const startAll = () => {
    if (!isOff) void start({})
  }
  const price = usePrice(trying, editor)
  return (
    <Button.Group>
      <Button
        aria-busy={isStarting}
        disabled={blocked !== null || isRunning}
        title={blocked ?? `Runs everything, and shows on the nodes what they make (r). ${price}`}
        leftSection={<Icon name="run" size={14} />}
        onClick={startAll}
      >
        Run here
      </Button>
      <Menu width={310} position="bottom-end">
        <Menu.Target>
          <Button px={6} aria-label="Other ways to run" disabled={isRunning}>
            <Icon name="chevron" size={14} />
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<Icon name="run" />} disabled={isOff} onClick={() => void start({})}>
            <Lines title="Everything, here" words={price} />
          </Menu.Item>
          <Menu.Item
            leftSection={<NodeIcon name="list" />}
            disabled={isOff}
            onClick={() => void start({ first: true })}
          >
            <Lines
              title="The first row only"
              words="The first element of each list. The whole run pays nothing for it again."
            />
          </Menu.Item>
          {node === null ? (
            <Menu.Label>Select a node to run up to it, or only it.</Menu.Label>
          ) : (
            <>
              <Menu.Item
                leftSection={<Icon name="flag" />}
                disabled={isOff}
                onClick={() => void start({ targets: [node] })}
              >
                <Lines title={`Up to “${node}”`} words="Only what it needs (u)." />
              </Menu.Item>
              {hasMade ? (
                <Menu.Item
                  leftSection={<NodeIcon name="roll" />}
                  disabled={isOff}
                  onClick={() => void start(onlyThis(node))}
                >
                  <Lines title={`Only “${node}”, again`} words="New results of it; what it needs is kept." />
                </Menu.Item>
              ) : null}
            </>
          )}
          <Menu.Divider />
          <Menu.Item leftSection={<Icon name="board" />} onClick={forTask}>
            <Lines title="For a task …" words="On a page of its own: started at once, or only prepared." />
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </Button.Group>
  )
}

/**
 * Returns in words what a start of the whole graph would cost. If the displayed run has the editor's present definition, with all
 * rows, the text states the cost in the service's plan for that run; otherwise, it is based on the prices of the node types.
 */
function usePrice({ run, isWhole }: EditorRun, { definition, types }: Props['editor']): string {
  const planned = run !== null && isWhole ? run : null
  const plan = useQuery({
    ...planQuery(planned ?? { id: '', updated_at: '', generation: 0 }, { targets: [] }),
    enabled: planned !== null,
  })
  if (planned !== null && plan.data) return `Costs: ${planWords(plan.data)}.`
  return pricesOf(definition, types)
}

const Lines = ({ title, words }: { title: string; words: string }) => (
  <span className="menu-lines">
    {title}
    <span className="hint">{words}</span>
  </span>
)
