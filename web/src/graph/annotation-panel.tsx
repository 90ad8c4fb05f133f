// In charge of the panel in which the text, the colour and the size of the selected note or frame are edited.
import { ActionIcon, Button, NumberInput, Radio, Textarea, TextInput, Tooltip } from '@mantine/core'
import { type KeyboardEvent, useEffect, useRef } from 'react'
import {
  type Annotation,
  type AnnotationChange,
  annotationLimits,
  annotationName,
  type Colour,
  colours,
  sizes,
} from '../canvas/annotations.ts'
import { nothingSelected } from '../canvas/canvas.tsx'
import { NodeIcon } from '../canvas/node-icons.tsx'
import { focusCanvas } from '../canvas/use-canvas-focus.ts'
import { Icon } from '../ui/icons.tsx'
import { isCommand } from '../ui/keys.ts'
import type { Editor } from './use-editor.ts'

type Props = { editor: Editor; id: string; annotation: Annotation }

export function AnnotationPanel({ editor, id, annotation }: Props) {
  const { wanted, annotate, readOnly } = editor
  const field = useRef<HTMLInputElement & HTMLTextAreaElement>(null)
  const change = (change: AnnotationChange) => annotate(id, change)
  const type = (typed: AnnotationChange) => annotate(id, typed, true)
  useEffect(() => {
    if (wanted.current !== id) return
    wanted.current = null
    field.current?.focus()
  })
  const held = editor.held(id)
  const words = {
    ...({ ref: field, size: 'xs', readOnly: readOnly !== null } as const),
    // Escape leaves the text field. After that, keys act on the selected note or frame again, such as Delete, which removes it.
    onKeyDown: (event: KeyboardEvent<HTMLElement>) => {
      if (event.key === 'Escape' && isCommand(event)) focusCanvas()
    },
  }
  return (
    <div className="inspector-body">
      <div className="side-head">
        <span className="node-icon">
          <NodeIcon name={annotation.kind} size={16} />
        </span>
        <div className="side-names">
          <h2>{annotation.kind === 'note' ? 'Note' : 'Frame'}</h2>
          <span className="visually-hidden">{annotationName(annotation)}</span>
        </div>
        <Tooltip label="Close (Esc)">
          <ActionIcon aria-label="Close the inspector" onClick={() => editor.setSelection(nothingSelected)}>
            <Icon name="close" />
          </ActionIcon>
        </Tooltip>
      </div>
      <div className="side-scroll">
        {annotation.kind === 'note' ? (
          <Textarea
            {...words}
            label="Text"
            description="Markdown: # heading, - list, **strong**, *emphasis*, `code`, [link](https://…)"
            autosize
            minRows={6}
            maxRows={20}
            maxLength={annotationLimits.text}
            value={annotation.text}
            onChange={(event) => type({ text: event.currentTarget.value })}
          />
        ) : (
          <TextInput
            {...words}
            label="Title"
            maxLength={annotationLimits.title}
            value={annotation.title}
            onChange={(event) => type({ title: event.currentTarget.value })}
          />
        )}
        {readOnly === null ? (
          <>
            <ColourChoice value={annotation.colour} change={(colour) => change({ colour })} />
            <SizeEntry annotation={annotation} change={type} />
            {annotation.kind === 'frame' ? <p className="hint">{heldWords(held.length)}</p> : null}
            <div className="annotation-foot">
              <Button size="compact-xs" variant="default" onClick={editor.duplicate}>
                Duplicate
              </Button>
              <Button size="compact-xs" variant="default" color="red" onClick={editor.remove}>
                Remove
              </Button>
            </div>
          </>
        ) : null}
      </div>
    </div>
  )
}

const heldWords = (count: number): string =>
  count === 0
    ? 'Nothing lies in it.'
    : `What lies in it moves with it: ${count === 1 ? 'one thing' : `${count} things`}.`

const ColourChoice = ({ value, change }: { value: Colour; change: (colour: Colour) => void }) => (
  <Radio.Group
    label="Colour"
    size="xs"
    value={value}
    onChange={(next) => change(colours.find((one) => one === next) ?? value)}
  >
    <div className="colour-choice">
      {colours.map((colour) => (
        <Radio.Card key={colour} value={colour} aria-label={colour} data-colour={colour} title={colour} />
      ))}
    </div>
  </Radio.Group>
)

function SizeEntry({ annotation, change }: { annotation: Annotation; change: (change: AnnotationChange) => void }) {
  const { least } = sizes[annotation.kind]
  return (
    <div className="annotation-size">
      {(['width', 'height'] as const).map((side) => (
        <NumberInput
          key={side}
          size="xs"
          label={side === 'width' ? 'Width' : 'Height'}
          min={least[side]}
          max={sizes.most}
          step={20}
          allowDecimal={false}
          clampBehavior="blur"
          value={annotation[side]}
          onChange={(value) => {
            if (typeof value === 'number' && value >= least[side] && value <= sizes.most) change({ [side]: value })
          }}
        />
      ))}
    </div>
  )
}
