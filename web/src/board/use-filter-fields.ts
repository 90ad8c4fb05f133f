// In charge of the fields that the rule builder offers. Values that are ids of users or products are labelled with their names.
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { namedApart } from '../lib/apart.ts'
import { peopleQuery, productsQuery, schemaQuery } from '../lib/queries.ts'
import { type Offered, offered } from './filter-fields.ts'

/** The fields; null until the service has sent the schema. */
export function useFilterFields(): Offered[] | null {
  const schema = useQuery(schemaQuery).data
  const people = useQuery(peopleQuery).data
  const products = useQuery(productsQuery).data
  return useMemo(() => {
    if (!schema) return null
    const persons = namedApart(people ?? []).map(({ id, name }) => ({ value: id, label: name }))
    const references = {
      assignee_id: persons,
      task_owner_id: persons,
      product_id: (products ?? []).map(({ id, name }) => ({ value: id, label: name })),
    }
    return offered(schema.filter_fields, { vocabularies: schema.vocabularies, references })
  }, [schema, people, products])
}
