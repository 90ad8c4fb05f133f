// In charge of a gate that shows options side by side: users pick among them, also with number keys, and re-roll single options.
import { filesIn } from '@atelier/contract/graph/definition.ts'
import { runRefuses } from '@atelier/contract/graph/run-rules.ts'
import type { RunStart } from '@atelier/contract/runs.ts'
import { useEffect, useMemo, useRef, useState } from 'react'
import { NodeIcon } from '../canvas/node-icons.tsx'
import { mayOnlyLook, refusalWords } from '../canvas/words.ts'
import { ReasonButton } from '../ui/reason-button.tsx'
import { tellError } from '../ui/toasts.tsx'
import { openViewer, type Viewed } from '../ui/viewer-store.ts'
import { useCost } from './cost.tsx'
import { picksAfter, usePicks } from './gate-drafts.ts'
import { GateFoot } from './gate-foot.tsx'
import { meaningOf } from './gate-keys.ts'
import { GateOption } from './gate-option.tsx'
import type { AnswerProps, KeyProps, RollProps as Rolling } from './gate-stage.tsx'
import { isMadeAnew } from './gate-words.ts'
import type { Run } from './queries.ts'
import { optionWords, pickWords, type Request, toggled } from './questions.ts'
import { type Source, sourceOfOption } from './roll-sources.ts'
import { TakeStrip } from './takes.tsx'
import { canBeViewed, viewedFile } from './viewed.ts'

type Props = AnswerProps & Rolling & KeyProps & { request: Extract<Request, { kind: 'choose' }> }

export function GateChoose(props: Props) {
  const { request, run, definition, types, node, rolling, start, mayWrite, refusal, answer, isBusy, draft } = props
  const { keys } = props
  const { options, min, max } = request
  const texts = useMemo(() => options.map((option) => JSON.stringify(option)), [options])
  const [picked, setPicked] = usePicks(mayWrite ? draft : null, texts)
  const [fresh, setFresh] = useState<ReadonlySet<number>>(new Set())
  /** The indices of the options that are being generated again now. */
  const [rolled, setRolled] = useState<ReadonlySet<number>>(new Set())
  const [starting, setStarting] = useState(false)
  useEffect(() => {
    if (!rolling && !starting) setRolled(new Set())
  }, [rolling, starting])
  const startThese = (indices: Iterable<number>, body: RunStart) => {
    setRolled(new Set(indices))
    setStarting(true)
    return start(body).finally(() => setStarting(false))
  }
  const grid = useRef<HTMLUListElement>(null)
  const seen = useRef(texts)
  useEffect(() => {
    const before = seen.current
    seen.current = texts
    const changed = texts.flatMap((text, index) => (text === before[index] ? [] : [index]))
    if (changed.length === 0 && before.length === texts.length) return
    setFresh(new Set(changed))
    setPicked((ones) => picksAfter(ones, before, texts))
  }, [texts, setPicked])
  const isEnough = picked.length >= min && picked.length <= max
  const sources = useMemo(() => {
    const given = { definition, types, nodes: run.nodes }
    return options.map((_, index) => sourceOfOption(given, node, index))
  }, [definition, types, run.nodes, options, node])
  const rollRefusal = mayWrite ? refusalWords(runRefuses.start(run)) : mayOnlyLook
  const rollOff = rolling ? isMadeAnew : rollRefusal
  const pick = (index: number) => setPicked((before) => toggled(before, index, max))
  const focus = (index: number) =>
    grid.current
      ?.querySelector<HTMLElement>(`[data-option="${Math.min(Math.max(0, index), options.length - 1)}"]`)
      ?.focus()
  const confirm = () => {
    if (isEnough) answer({ selected: picked })
  }
  /** Enter on an option is for this option: it is picked first, and answered with once it is. */
  const answerAt = (at: number) => (at < 0 || picked.includes(at) ? confirm() : pick(at))
  const pictures = options.map((option, index) => viewedOption(option, index, options.length))
  const look = (index: number) => {
    const label = max === 1 ? 'Choose this' : 'Pick this'
    const shown = pictures.flatMap((picture, own) => {
      if (!picture) return []
      return [{ ...picture, ...(refusal === null ? { act: { label, run: () => chooseSeen(own, texts[own]) } } : {}) }]
    })
    openViewer(shown, pictures.slice(0, index).filter((picture) => picture !== null).length)
  }
  /**
   * For the Choose button of an option, and for the viewer. If the gate accepts only one option, answers the gate with this option;
   * otherwise picks the option.
   */
  const choose = (index: number) => {
    if (max === 1) answer({ selected: [index] })
    else setPicked((before) => (before.includes(index) ? before : toggled(before, index, max)))
  }
  const chooseSeen = useSeenChoice(texts, refusal, choose)
  const rollOne = (index: number) => {
    const source = sources[index]
    if (!source || rollOff !== null) return
    // Focuses the option, because the re-roll disables the pressed button: it would lose the focus, and keys would stop working.
    focus(index)
    void startThese([index], { regenerate: [source] })
  }
  const onKey = (event: React.KeyboardEvent) => {
    const target = event.target instanceof HTMLElement ? event.target : null
    // The strip of takes and its menus handle keys themselves.
    if (target?.closest('.takes, [role="menu"]')) return
    const at = Number(target?.dataset.option ?? -1)
    const meaning = meaningOf(event, { at, count: options.length, columns: columnsIn(grid.current) })
    // If a button other than an option, or a link, has the focus, Enter activates that element and does not answer.
    if (!meaning || (meaning.kind === 'answer' && at < 0 && target?.closest('button, a'))) return
    event.preventDefault()
    // A key that is held down must not act on the questions that come next, nor on what is made anew; it only moves the focus.
    if (event.repeat && meaning.kind !== 'go') return
    if (meaning.kind === 'answer') return answerAt(at)
    if (meaning.kind === 'roll') return rollOne(at)
    if (meaning.kind === 'look') return look(at)
    if (meaning.kind === 'pick') pick(meaning.option)
    focus(meaning.option)
  }
  const all = uniqueSources(sources)
  /** Whether this source made several of the options. If so, its takes are shown once for all options, not under single options. */
  const isShared = (source: Source) => sources.filter((one) => sameSource(one, source)).length > 1
  const takesOf = (index: number) => {
    const source = sources[index]
    if (!source || isShared(source) || options.length > mostStrips) return null
    return takeStrip(source, [index])
  }
  const shared = all.filter(isShared).slice(0, mostStrips)
  const takeStrip = (source: Source, indices: readonly number[], isTitled = false) => (
    <TakeStrip
      key={`${source.node_id}/${source.item}`}
      {...{ run, source, isTitled }}
      of={optionWords(indices, options.length)}
      refusal={rollRefusal}
      mayPin={mayWrite}
      choose={(take) => startThese(indices, { choose: [{ ...source, take }] })}
    />
  )
  const rollAll = (ones: Source[]) => void startThese(options.keys(), { regenerate: ones })
  /** The reason why the picked options cannot be chosen now; null if they can. */
  const answerOff = refusal ?? (isEnough ? null : `${pickWords(min, max)}.`)
  useEffect(() => {
    keys.current = onKey
    return () => {
      keys.current = null
    }
  })
  return (
    <div className="gate-body">
      <ul ref={grid} className="options" data-count={Math.min(options.length, 6)}>
        {options.map((option, index) => (
          <GateOption
            key={index}
            index={index}
            option={option}
            isPicked={picked.includes(index)}
            isFresh={fresh.has(index)}
            isRolling={rolled.has(index)}
            pick={() => pick(index)}
            look={pictures[index] ? () => look(index) : null}
            run={run}
            source={sources[index] ?? null}
            roll={() => rollOne(index)}
            rollRefusal={rollOff}
            choose={max === 1 && refusal === null ? () => choose(index) : null}
            isBusy={isBusy}
            takes={takesOf(index)}
          />
        ))}
      </ul>
      {shared.map((source) => {
        const made = options.keys().filter((index) => sameSource(sources[index] ?? null, source))
        const indices = [...made]
        return takeStrip(source, indices, indices.length < options.length)
      })}
      <GateFoot>
        <span className="gate-hint">
          {pickWords(min, max)}
          <span className="wide-only hint"> · number keys pick, Enter answers</span>
        </span>
        {all.length > 0 ? <RollAll run={run} sources={all} off={rollOff} roll={rollAll} /> : null}
        <ReasonButton size="sm" loading={isBusy} off={answerOff} onClick={confirm}>
          {picked.length === 0 && min === 0
            ? 'Go on without any'
            : picked.length > 1
              ? `Choose these ${picked.length}`
              : 'Choose this'}
        </ReasonButton>
      </GateFoot>
    </div>
  )
}

/**
 * For the viewer, which keeps showing the options as they were when it was opened: returns a function that chooses an option only if
 * it is still the one that the user has seen, `text`. Meanwhile, somebody else may have made it anew or answered the question.
 */
function useSeenChoice(texts: readonly string[], refusal: string | null, choose: (index: number) => void) {
  const latest = useRef<{ texts: readonly string[]; refusal: string | null; choose: typeof choose } | null>(null)
  useEffect(() => {
    latest.current = { texts, refusal, choose }
    return () => {
      latest.current = null
    }
  })
  return (index: number, text: string | undefined) => {
    const now = latest.current
    const isSeen = now?.texts[index] === text
    const why = now
      ? (now.refusal ?? (isSeen ? null : `Option ${index + 1} was made anew meanwhile. Look at it first.`))
      : 'This question is not open any more.'
    if (why === null) now?.choose(index)
    else tellError(new Error(why), 'Not chosen')
  }
}

function viewedOption(option: unknown, index: number, count: number): Viewed | null {
  const file = filesIn(option).find(canBeViewed)
  return file ? viewedFile(file, [['Option', `${index + 1} of ${count}`]]) : null
}

/**
 * If a gate has more options than this, no takes are shown under the single options; users find them at the nodes that made the
 * options. Below all options, there are takes of this many sources at most, of those that made several options each.
 */
const mostStrips = 24

/** `off`: the reason why nothing can be rolled again now; null if it can. */
type RollAllProps = { run: Run; sources: Source[]; off: string | null; roll: (regenerate: Source[]) => void }

function RollAll({ run, sources, off, roll }: RollAllProps) {
  const cost = useCost({ run, body: { regenerate: sources }, enabled: off === null })
  return (
    <ReasonButton
      size="sm"
      variant="default"
      leftSection={<NodeIcon name="roll" size={14} />}
      off={off}
      onClick={() => roll(sources)}
    >
      Roll all again{cost === null ? '' : ` · ${cost}`}
    </ReasonButton>
  )
}

const sameSource = (one: Source | null, other: Source): boolean =>
  one !== null && one.node_id === other.node_id && one.item === other.item

function uniqueSources(sources: readonly (Source | null)[]): Source[] {
  const found = new Map<string, Source>()
  for (const source of sources) if (source) found.set(JSON.stringify(source), source)
  return [...found.values()]
}

const columnsIn = (grid: HTMLElement | null): number =>
  grid ? getComputedStyle(grid).gridTemplateColumns.split(' ').length : 1
