// In charge of the list of all issues that keep a definition from running; a click on an issue shows its node.
import { ActionIcon, UnstyledButton } from '@mantine/core'
import { Icon } from '../ui/icons.tsx'
import type { Editor } from './use-editor.ts'

export function IssuesPanel({ editor, close }: { editor: Editor; close: () => void }) {
  const { issues } = editor
  return (
    <div className="inspector-body">
      <div className="side-head">
        <h2>{issues.length === 0 ? 'No issues' : `${issues.length} ${issues.length === 1 ? 'issue' : 'issues'}`}</h2>
        <ActionIcon aria-label="Close the issues" onClick={close}>
          <Icon name="close" />
        </ActionIcon>
      </div>
      <div className="side-scroll">
        <p className="hint">
          {issues.length === 0
            ? 'The graph can run.'
            : 'The graph is saved as it is; it can run when these are resolved.'}
        </p>
        <IssueEntries editor={editor} />
      </div>
    </div>
  )
}

export function IssueEntries({ editor: { issues, show } }: { editor: Editor }) {
  return (
    <ul className="issue-list">
      {issues.map(({ key, node, words }) => (
        <li key={key}>
          <UnstyledButton className="issue" disabled={node === null} onClick={() => node !== null && show(node)}>
            <Icon name="warning" size={14} />
            <span>
              {node === null ? null : <strong>{node}</strong>}
              {words}
            </span>
          </UnstyledButton>
        </li>
      ))}
    </ul>
  )
}
