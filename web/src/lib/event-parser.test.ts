// Facts about reading server-sent events.
import { expect, test } from 'vitest'
import { createEventParser } from './event-parser.ts'

const stream =
  'retry: 2000\n: watching\n\nevent: changed\ndata: {"changes":[]}\n\n: alive\n\nevent: missed\r\ndata: {}\r\n\r\n'
const events = [
  { name: 'changed', data: '{"changes":[]}' },
  { name: 'missed', data: '{}' },
]

test('events are read, comments are not', () => {
  expect(createEventParser()(stream)).toEqual(events)
})

test('wherever the text is cut, the events are the same', () => {
  for (let cut = 0; cut <= stream.length; cut += 1) {
    const parse = createEventParser()
    expect([...parse(stream.slice(0, cut)), ...parse(stream.slice(cut))]).toEqual(events)
  }
})

test('an event that has not ended is kept until it has', () => {
  const parse = createEventParser()
  expect(parse('event: changed\ndata: 1\n')).toEqual([])
  expect(parse('\n')).toEqual([{ name: 'changed', data: '1' }])
})

test('data over several lines is one text', () => {
  expect(createEventParser()('data: a\ndata: b\n\n')).toEqual([{ name: 'message', data: 'a\nb' }])
})
