// In charge of the menu that starts a run: all of it, only up to a node, or with a re-roll of a node. Each choice shows its cost.
import { runRefuses } from '@atelier/contract/graph/run-rules.ts'
import type { RunStart } from '@atelier/contract/runs.ts'
import { Button, Menu } from '@mantine/core'
import { useState } from 'react'
import { NodeIcon } from '../canvas/node-icons.tsx'
import { mayOnlyLook, refusalWords } from '../canvas/words.ts'
import { Icon } from '../ui/icons.tsx'
import { ReasonButton } from '../ui/reason-button.tsx'
import { Cost } from './cost.tsx'
import type { Run } from './queries.ts'
import type { Actions } from './use-actions.ts'

/** `unread`: why the run lacks what was typed into its definition, and so cannot start; null if it lacks nothing. */
type Props = {
  run: Run
  actions: Actions
  node: string | null
  mayWrite: boolean
  isQuiet: boolean
  unread: string | null
}

export function StartMenu({ run, actions, node, mayWrite, isQuiet, unread }: Props) {
  const [isOpen, setIsOpen] = useState(false)
  const [isBusy, setIsBusy] = useState(false)
  const refusal = mayWrite ? (refusalWords(runRefuses.start(run)) ?? unread) : mayOnlyLook
  const start = (body: RunStart) => {
    setIsBusy(true)
    void actions.start(body).finally(() => setIsBusy(false))
  }
  const isFork = run.exported_at !== null
  const label = isFork ? 'Run as a fork' : run.status === 'draft' ? 'Start' : 'Run again'
  if (refusal !== null) {
    return (
      <ReasonButton off={refusal} leftSection={<Icon name="run" size={14} />} onClick={() => undefined}>
        {label}
      </ReasonButton>
    )
  }
  return (
    <Menu opened={isOpen} onChange={setIsOpen} width={330}>
      <Menu.Target>
        <Button
          variant={isQuiet ? 'default' : 'filled'}
          loading={isBusy}
          leftSection={<Icon name="run" size={14} />}
          rightSection={<Icon name="chevron" size={14} />}
        >
          {label}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {isFork ? <Menu.Label>This run is a record: a fork of it starts.</Menu.Label> : null}
        <StartItem
          icon={<Icon name="run" />}
          title="Everything"
          words="What is done already comes from the cache."
          {...{ run, body: { targets: [] }, isOpen, start }}
        />
        {node === null ? (
          <Menu.Label>Select a node to run up to it, or to roll it again.</Menu.Label>
        ) : (
          <>
            <StartItem
              icon={<Icon name="flag" />}
              title={`Up to “${node}”`}
              words="Only what it needs."
              {...{ run, body: { targets: [node] }, isOpen, start }}
            />
            <StartItem
              icon={<NodeIcon name="roll" />}
              title={`Roll “${node}” again`}
              words="New results there, and what follows from them."
              {...{ run, body: { regenerate: [{ node_id: node }] }, isOpen, start }}
            />
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}

type ItemProps = {
  icon: React.ReactNode
  title: string
  words: string
  run: Run
  body: RunStart
  isOpen: boolean
  start: (body: RunStart) => void
}

function StartItem({ icon, title, words, run, body, isOpen, start }: ItemProps) {
  return (
    <Menu.Item
      leftSection={icon}
      rightSection={isOpen ? <Cost run={run} body={body} /> : null}
      onClick={() => start(body)}
    >
      <span className="menu-lines">
        {title}
        <span className="hint">{words}</span>
      </span>
    </Menu.Item>
  )
}
