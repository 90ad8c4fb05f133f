// In charge of picking among options that stand side by side: a number key each, and any of them rolled again right there.
import type { Definition } from '@atelier/contract/definition.ts'
import type { NodeTypes } from '@atelier/contract/graph-rules.ts'
import { runRefuses } from '@atelier/contract/run-rules.ts'
import { Button, Tooltip } from '@mantine/core'
import { useEffect, useMemo, useRef, useState } from 'react'
import { NodeIcon } from '../graph/node-icons.tsx'
import { Icon } from '../ui/icons.tsx'
import { useCost } from './cost.tsx'
import { meaningOf } from './gate-keys.ts'
import type { AnswerProps } from './gate-stage.tsx'
import type { Run } from './queries.ts'
import { pickWords, type Request, toggled } from './questions.ts'
import { sourceOfOption } from './roll-sources.ts'
import { Value } from './value.tsx'
import { refusalWords } from './words.ts'

type Props = AnswerProps & {
  request: Extract<Request, { kind: 'choose' }>
  run: Run
  definition: Definition
  types: NodeTypes
  node: string
  rolling: boolean
  roll: (regenerate: { node_id: string; item: number | null }[]) => void
}

export function GateChoose({ request, run, definition, types, node, rolling, roll, refusal, answer, isBusy }: Props) {
  const { options, min, max } = request
  const [picked, setPicked] = useState<readonly number[]>([])
  const [fresh, setFresh] = useState<ReadonlySet<number>>(new Set())
  const grid = useRef<HTMLUListElement>(null)
  const texts = useMemo(() => options.map((option) => JSON.stringify(option)), [options])
  const seen = useRef(texts)
  useEffect(() => {
    const before = seen.current
    seen.current = texts
    if (before === texts || before.length !== texts.length) return
    const changed = texts.flatMap((text, index) => (text === before[index] ? [] : [index]))
    if (changed.length === 0) return
    setFresh(new Set(changed))
    // What was picked is something else now.
    setPicked((ones) => ones.filter((one) => !changed.includes(one)))
  }, [texts])
  const isEnough = picked.length >= min && picked.length <= max
  const sources = useMemo(() => {
    const given = { definition, types, nodes: run.nodes }
    return options.map((_, index) => sourceOfOption(given, node, index))
  }, [definition, types, run.nodes, options, node])
  const rollRefusal = refusalWords(runRefuses.start(run))
  const pick = (index: number) => setPicked((before) => toggled(before, index, max))
  const focus = (index: number) =>
    grid.current
      ?.querySelector<HTMLElement>(`[data-option="${Math.min(Math.max(0, index), options.length - 1)}"]`)
      ?.focus()
  const confirm = () => {
    if (isEnough) answer({ selected: picked })
  }
  const rollOne = (index: number) => {
    const source = sources[index]
    if (!source || rollRefusal !== null) return
    // The button that was pressed rests meanwhile; the keys go on from the option.
    focus(index)
    roll([source])
  }
  const onKey = (event: React.KeyboardEvent) => {
    const target = event.target instanceof HTMLElement ? event.target : null
    const at = Number(target?.dataset.option ?? -1)
    const meaning = meaningOf(event, { at, count: options.length, columns: columnsIn(grid.current) })
    // Other buttons answer to Enter themselves.
    if (!meaning || (meaning.kind === 'answer' && at < 0 && target?.closest('button, a'))) return
    event.preventDefault()
    if (meaning.kind === 'answer') return confirm()
    if (meaning.kind === 'roll') return rollOne(at)
    if (meaning.kind === 'pick') pick(meaning.option)
    focus(meaning.option)
  }
  const all = uniqueSources(sources)
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys answer wherever in the question the focus is; each has its button.
    <div className="gate-body" onKeyDown={onKey}>
      <ul ref={grid} className="options" data-count={Math.min(options.length, 6)}>
        {options.map((option, index) => {
          const isPicked = picked.includes(index)
          const source = sources[index]
          return (
            <li key={index} className="option" data-picked={isPicked || undefined}>
              <button
                type="button"
                className="option-pick"
                aria-pressed={isPicked}
                aria-label={`Option ${index + 1}${isPicked ? ', picked' : ''}`}
                data-option={index}
                {...(index === 0 ? { 'data-first': true } : {})}
                onClick={() => pick(index)}
              >
                <span className="option-number">{isPicked ? <Icon name="check" size={14} /> : index + 1}</span>
                {fresh.has(index) ? (
                  <span className="mark option-new" data-tone="accent">
                    New
                  </span>
                ) : null}
              </button>
              <div className="option-value">
                <Value value={option} />
              </div>
              {source ? (
                <Tooltip label={rollRefusal ?? 'Make this one anew (r)'}>
                  <Button
                    className="option-roll"
                    size="compact-xs"
                    variant="default"
                    leftSection={<NodeIcon name="roll" size={13} />}
                    disabled={rolling || rollRefusal !== null}
                    aria-label={`Roll again, option ${index + 1}`}
                    onClick={() => rollOne(index)}
                  >
                    Roll again
                  </Button>
                </Tooltip>
              ) : null}
            </li>
          )
        })}
      </ul>
      <footer className="gate-foot">
        <span className="gate-hint">
          {pickWords(min, max)}
          <span className="wide-only hint"> · number keys pick, Enter answers</span>
        </span>
        {all.length > 0 ? <RollAll run={run} sources={all} off={rolling || rollRefusal !== null} roll={roll} /> : null}
        <Tooltip label={refusal} disabled={refusal === null}>
          <Button size="sm" loading={isBusy} disabled={!isEnough || refusal !== null} onClick={confirm}>
            {picked.length === 0 && min === 0
              ? 'Go on without any'
              : picked.length > 1
                ? `Choose these ${picked.length}`
                : 'Choose this'}
          </Button>
        </Tooltip>
      </footer>
    </div>
  )
}

type Source = { node_id: string; item: number | null }
type RollAllProps = { run: Run; sources: Source[]; off: boolean; roll: (regenerate: Source[]) => void }

function RollAll({ run, sources, off, roll }: RollAllProps) {
  const cost = useCost({ run, body: { regenerate: sources }, enabled: !off })
  return (
    <Button
      size="sm"
      variant="default"
      leftSection={<NodeIcon name="roll" size={14} />}
      disabled={off}
      onClick={() => roll(sources)}
    >
      Roll all again{cost === null ? '' : ` · ${cost}`}
    </Button>
  )
}

function uniqueSources(sources: readonly (Source | null)[]): Source[] {
  const found = new Map<string, Source>()
  for (const source of sources) if (source) found.set(JSON.stringify(source), source)
  return [...found.values()]
}

const columnsIn = (grid: HTMLElement | null): number =>
  grid ? getComputedStyle(grid).gridTemplateColumns.split(' ').length : 1
