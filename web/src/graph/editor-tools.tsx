// In charge of the toolbar of the editor: buttons for adding nodes, notes and frames, undo, redo, arranging, and the issues.
import { ActionIcon, Button, Tooltip } from '@mantine/core'
import type { ReactNode } from 'react'
import { NodeIcon } from '../canvas/node-icons.tsx'
import { Icon } from '../ui/icons.tsx'
import { SteadyButton } from '../ui/steady-button.tsx'
import type { Editor } from './use-editor.ts'

type Props = { editor: Editor; togglePalette: () => void; toggleIssues: () => void }

export function EditorTools({ editor, togglePalette, toggleIssues }: Props) {
  const { state, dispatch, views, issues, readOnly } = editor
  return (
    <div className="studio-tools" role="toolbar" aria-label="Editing">
      {readOnly === null ? (
        <>
          <Tooltip label="Find a node type and add it (/)">
            <Button
              size="compact-xs"
              variant="light"
              leftSection={<Icon name="plus" size={14} />}
              onClick={togglePalette}
            >
              Add node
            </Button>
          </Tooltip>
          <Tool label="Add a note (n)" onClick={() => editor.addNote()}>
            <NodeIcon name="note" />
          </Tool>
          <Tool label="Add a frame, around what is selected (g)" onClick={() => editor.addFrame()}>
            <NodeIcon name="frame" />
          </Tool>
          <Tool label="Undo (Ctrl Z)" off={state.past.length === 0} onClick={() => dispatch({ type: 'undo' })}>
            <NodeIcon name="undo" />
          </Tool>
          <Tool label="Redo (Ctrl Shift Z)" off={state.future.length === 0} onClick={() => dispatch({ type: 'redo' })}>
            <NodeIcon name="redo" />
          </Tool>
          <Tool label="Arrange the nodes (l)" off={views.size === 0} onClick={editor.arrange}>
            <NodeIcon name="arrange" />
          </Tool>
        </>
      ) : null}
      <Tooltip label="What keeps it from running (i)">
        <Button
          size="compact-xs"
          variant={issues.length > 0 ? 'light' : 'subtle'}
          color={issues.length > 0 ? 'red' : 'gray'}
          leftSection={<Icon name={issues.length > 0 ? 'warning' : 'check'} size={14} />}
          onClick={toggleIssues}
        >
          {issues.length === 0 ? 'No issues' : `${issues.length} ${issues.length === 1 ? 'issue' : 'issues'}`}
        </Button>
      </Tooltip>
    </div>
  )
}

type ToolProps = { label: string; off?: boolean; onClick: () => void; children: ReactNode }

function Tool({ label, off = false, onClick, children }: ToolProps) {
  return (
    <Tooltip label={label}>
      <ActionIcon component={SteadyButton} aria-label={label} disabled={off} onClick={onClick}>
        {children}
      </ActionIcon>
    </Tooltip>
  )
}
