// In charge of the lookup page: the user pastes names or campaign ids, sees the creatives found, and can download them as CSV.

import { Button, Textarea } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import { useMutation, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { call } from '../lib/api.ts'
import { downloadCsv, toCsv } from '../lib/csv.ts'
import { schemaQuery } from '../lib/queries.ts'
import type { LookupRow } from '../lib/types.ts'
import { Icon } from '../ui/icons.tsx'
import { Failed } from '../ui/states.tsx'
import { csvRows, labelsOf, linesOf } from './columns.ts'
import { batchesOf, type Handles, readHandles, withoutTwins } from './handles.ts'
import { LookupTable } from './lookup-table.tsx'
import './lookup.css'

const route = getRouteApi('/lookup')

export function LookupPage() {
  useDocumentTitle('Lookup · Atelier')
  const { q = '' } = route.useSearch()
  const [text, setText] = useState(q)
  const label = labelsOf(useQuery(schemaQuery).data)
  const handles = readHandles(text)
  const asked = handles.names.length + handles.numbers.length
  const lookup = useMutation({
    mutationFn: async (text: string): Promise<LookupRow[]> => {
      const rows: LookupRow[] = []
      const handles = readHandles(text)
      for (const body of batchesOf(handles)) rows.push(...(await call('lookupCreatives', { body })))
      return withoutTwins(rows, handles)
    },
  })
  const { mutate } = lookup
  // A handle in the address of the page is looked up when the page opens, and when the handle in the address changes.
  useEffect(() => {
    if (q === '') return
    setText(q)
    mutate(q)
  }, [q, mutate])
  const lines = lookup.data ? linesOf(lookup.data) : null
  const missing = lookup.data?.filter(({ creatives }) => creatives.length === 0).length ?? 0
  return (
    <div className="page lookup-page">
      <div className="page-head">
        <div>
          <h1>Lookup</h1>
          <p>What creatives are: paste canonical names or campaign ids, as an ad manager exports them.</p>
        </div>
      </div>
      <form
        className="lookup-form"
        onSubmit={(event) => {
          event.preventDefault()
          mutate(text)
        }}
      >
        <Textarea
          label="Names or campaign ids"
          description="One a line, or straight from a column. Numbers are looked up as campaign ids and as names."
          placeholder={'T42_GLOW_video_ugc_en-GB_UK_1080x1920_Summer_V1_01\n23852150404470549'}
          autosize
          minRows={4}
          maxRows={12}
          classNames={{ input: 'mono' }}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || asked === 0) return
            event.preventDefault()
            mutate(text)
          }}
        />
        <div className="lookup-tools">
          <span className="hint">{asked > 0 ? countWords(handles) : 'Nothing to look up yet.'}</span>
          <Button
            type="submit"
            disabled={asked === 0}
            loading={lookup.isPending}
            leftSection={<Icon name="lookup" size={14} />}
          >
            Look up
          </Button>
        </div>
      </form>
      {lookup.isError ? <Failed error={lookup.error} /> : null}
      {lines ? (
        <section aria-label="Result">
          <div className="lookup-tools">
            <span className="hint" role="status">
              {lookup.data?.length} looked up{missing > 0 ? `, nothing carries ${missing} of them` : ', all found'}.
            </span>
            <Button
              variant="default"
              leftSection={<Icon name="download" size={14} />}
              onClick={() => downloadCsv('creatives.csv', toCsv(csvRows(lines, label)))}
            >
              Download CSV
            </Button>
          </div>
          <LookupTable lines={lines} label={label} />
        </section>
      ) : null}
    </div>
  )
}

function countWords({ names, numbers, repeated }: Handles): string {
  const parts = [
    names.length > 0 ? `${names.length} ${names.length === 1 ? 'name' : 'names'}` : null,
    numbers.length > 0
      ? `${numbers.length} ${numbers.length === 1 ? 'number' : 'numbers'}, asked as campaign id and as name`
      : null,
    repeated > 0 ? `${repeated} repeated` : null,
  ]
  return parts.filter((part) => part !== null).join(', ')
}
