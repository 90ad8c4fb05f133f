// In charge of the field for an AI model: known models are listed with prices and end dates; other names can be typed.
import {
  type CatalogueModel,
  chosenModel,
  endOf,
  endWords,
  type ModelChoice,
  priceWords,
} from '@atelier/contract/graph/model-catalogue.ts'
import { dayOf } from '@atelier/contract/graph/model-rules.ts'
import { Autocomplete } from '@mantine/core'
import type { ReactNode } from 'react'

type Props = {
  label: string
  description: ReactNode
  error: string | null
  disabled: boolean
  withAsterisk: boolean
  size: 'xs'
  choice: ModelChoice
  example: string
  value: string
  change: (value: unknown) => void
}

export function ModelEntry({ choice, example, value, change, ...shared }: Props) {
  const today = dayOf(new Date())
  const offered = choice.models.filter((model) => endOf(model, today) !== 'over')
  const isOffered = offered.some(({ id }) => id === value)
  const chosen = chosenModel(choice, value)
  return (
    <div>
      <Autocomplete
        {...shared}
        placeholder={choice.default ?? example}
        maxLength={100}
        data={offered.map(({ id }) => id)}
        // If the text is the name of a known model, the list is not filtered by it, so that the user sees the other models too.
        {...(isOffered || value === '' ? { filter: ({ options }) => options } : {})}
        renderOption={({ option }) => <Option model={offered.find(({ id }) => id === option.value)} today={today} />}
        value={value}
        onChange={(text) => change(text)}
      />
      <p className="hint">
        {chosen ? factsOf(chosen) : value === '' ? null : 'Nothing is known of this model: price unknown.'}
      </p>
      {chosen && endOf(chosen, today) === 'soon' ? (
        <p className="notice" data-tone="warn">
          {endWords(chosen, today)}
        </p>
      ) : null}
    </div>
  )
}

function Option({ model, today }: { model: CatalogueModel | undefined; today: string }) {
  if (!model) return null
  return (
    <div className="model-option">
      <span>{model.id}</span>
      <span className="hint">{factsOf(model)}</span>
      {endOf(model, today) === null ? null : <span className="hint">{`Ends on ${model.ends_on}`}</span>}
    </div>
  )
}

/** One line with the price of a model and what it accepts as input. */
function factsOf({ price, sizes, references, seconds }: CatalogueModel): string {
  const takes = [
    sizes === undefined ? '' : `takes ${sizes}`,
    references === undefined ? '' : `up to ${references} references`,
    seconds === undefined ? '' : `${seconds.join(', ')} seconds`,
  ]
  return [priceWords(price), ...takes].filter((part) => part !== '').join(' · ')
}
