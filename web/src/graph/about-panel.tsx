// In charge of the panel that describes the whole graph, while nothing is selected or when the user opens it: the graph's
// description, its number of nodes and edges, its issues, AI models in it that will soon be withdrawn, and hints.
import { dayOf, modelEnds } from '@atelier/contract/graph/model-rules.ts'
import { ActionIcon, Textarea, UnstyledButton } from '@mantine/core'
import { growsByItself } from '../ui/grows-by-itself.ts'
import { Icon } from '../ui/icons.tsx'
import { IssueEntries } from './issues-panel.tsx'
import type { Description } from './use-description.ts'
import type { Editor } from './use-editor.ts'

type Props = {
  editor: Editor
  title: string
  description: Description
  mayDescribe: boolean
  /** Closes the panel; without it, the panel stands beside the canvas for as long as nothing is selected. */
  close?: () => void
}

export function AboutPanel({ editor, title, description, mayDescribe, close }: Props) {
  const { views, definition, issues, readOnly, types } = editor
  const ends = modelEnds(definition, types, dayOf(new Date())).filter(({ end }) => end === 'soon')
  return (
    <div className="inspector-body">
      <div className="side-head">
        <h2>{title}</h2>
        {close ? (
          <ActionIcon aria-label={`Close “${title}”`} onClick={close}>
            <Icon name="close" />
          </ActionIcon>
        ) : null}
      </div>
      <div className="side-scroll">
        <Textarea
          label="Description"
          size="xs"
          {...(growsByItself ? { classNames: { input: 'grows' } } : { autosize: true, minRows: 2, maxRows: 10 })}
          placeholder={mayDescribe ? 'What it makes, and for whom' : 'No description'}
          readOnly={!mayDescribe}
          value={description.text}
          onChange={(event) => description.write(event.currentTarget.value)}
          onBlur={mayDescribe ? description.save : undefined}
        />
        <p className="hint">
          {views.size} {views.size === 1 ? 'node' : 'nodes'}, {definition.edges.length}{' '}
          {definition.edges.length === 1 ? 'edge' : 'edges'}
        </p>
        {issues.length === 0 ? null : (
          <section>
            <h3 className="side-title">What keeps it from running</h3>
            <IssueEntries editor={editor} />
          </section>
        )}
        {ends.length === 0 ? null : (
          <section>
            <h3 className="side-title">Models that end soon</h3>
            <ul className="issue-list">
              {ends.map(({ node, param, words }) => (
                <li key={`${node} ${param}`}>
                  <UnstyledButton className="issue" onClick={() => editor.show(node)}>
                    <Icon name="clock" size={14} />
                    <span>
                      <strong>{node}</strong>
                      {words}
                    </span>
                  </UnstyledButton>
                </li>
              ))}
            </ul>
          </section>
        )}
        {readOnly === null ? (
          <ul className="tips">
            <li>
              <Icon name="plus" size={14} /> Click a node type to add it, or press / and type its name.
            </li>
            <li>
              <Icon name="link" size={14} /> Draw from an output on the right of a node to an input on the left of
              another.
            </li>
            <li>
              <Icon name="help" size={14} /> Press ? for every key.
            </li>
          </ul>
        ) : null}
      </div>
    </div>
  )
}
