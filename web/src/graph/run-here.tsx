// In charge of starting a run without leaving the editor: everything, up to a node, only that node again, or one row first.
import { Button, Menu } from '@mantine/core'
import type { Trying } from '../run/use-try.ts'
import { Icon } from '../ui/icons.tsx'
import { NodeIcon } from './node-icons.tsx'

type Props = { trying: Trying; node: string | null; blocked: string | null }

export function RunHere({ trying, node, blocked }: Props) {
  const { start, isBusy, isStarting } = trying
  const hasMade = node !== null && trying.run?.nodes[node] !== undefined
  const isOff = blocked !== null || isBusy
  return (
    <Button.Group>
      <Button
        loading={isStarting}
        disabled={isOff}
        title={blocked ?? 'Runs everything, and shows on the nodes what they make (r)'}
        leftSection={<Icon name="run" size={14} />}
        onClick={() => void start({})}
      >
        Run here
      </Button>
      <Menu width={290} position="bottom-end">
        <Menu.Target>
          <Button px={6} aria-label="Other ways to run here" disabled={isOff}>
            <Icon name="chevron" size={14} />
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<NodeIcon name="list" />} onClick={() => void start({ first: true })}>
            <Lines
              title="The first row only"
              words="The first element of each list. The whole run pays nothing for it again."
            />
          </Menu.Item>
          {node === null ? (
            <Menu.Label>Select a node to run up to it, or only it.</Menu.Label>
          ) : (
            <>
              <Menu.Item leftSection={<Icon name="flag" />} onClick={() => void start({ targets: [node] })}>
                <Lines title={`Up to “${node}”`} words="Only what it needs (u)." />
              </Menu.Item>
              {hasMade ? (
                <Menu.Item leftSection={<NodeIcon name="roll" />} onClick={() => void start(onlyThis(node))}>
                  <Lines title={`Only “${node}”, again`} words="New results of it; what it needs is kept." />
                </Menu.Item>
              ) : null}
            </>
          )}
        </Menu.Dropdown>
      </Menu>
    </Button.Group>
  )
}

export const onlyThis = (node: string) => ({ targets: [node], regenerate: [{ node_id: node }] })

const Lines = ({ title, words }: { title: string; words: string }) => (
  <span className="menu-lines">
    {title}
    <span className="hint">{words}</span>
  </span>
)
