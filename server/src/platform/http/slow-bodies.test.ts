// Facts about how slowly the body of a request may arrive.
import { EventEmitter } from 'node:events'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { bodyPace, endSlowBodies } from './slow-bodies.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
})
afterEach(() => {
  vi.useRealTimers()
})

const minutes = (count: number) => count * 60_000

/** Lets a server receive a request with these headers; `arrive` lets a minute pass in which so many bytes a second arrive. */
function receive(headers: Record<string, string>) {
  const server = new EventEmitter()
  const errors: unknown[] = []
  server.on('clientError', (error) => errors.push(error.code))
  endSlowBodies(server, bodyPace)
  const socket = { bytesRead: 1_000_000 }
  const request = Object.assign(new EventEmitter(), { headers, socket, complete: false })
  const response = { writableEnded: false }
  server.emit('request', request, response)
  const arrive = (bytesPerSecond: number): void => {
    for (let second = 0; second < 60; second += 1) {
      socket.bytesRead += bytesPerSecond
      vi.advanceTimersByTime(1000)
    }
  }
  return { request, response, errors, arrive }
}
const upload = { 'content-length': '100000000' }
const tooSlow = ['ERR_HTTP_REQUEST_TIMEOUT']

test('for ten minutes a body may arrive as slowly as it does', () => {
  const { errors, arrive } = receive(upload)
  for (let minute = 1; minute < 10; minute += 1) arrive(1)
  expect(errors).toEqual([])
  arrive(1)
  expect(errors).toEqual(tooSlow)
})

test('a large upload that arrives steadily may take longer, until its pace falls', () => {
  const { errors, arrive } = receive({ 'transfer-encoding': 'chunked' })
  for (let minute = 0; minute < 60; minute += 1) arrive(20_000)
  expect(errors).toEqual([])
  for (let minute = 0; minute < 15; minute += 1) arrive(0)
  expect(errors).toEqual(tooSlow)
})

test('what arrives after the response gets ten minutes at any pace', () => {
  const { response, errors, arrive } = receive(upload)
  response.writableEnded = true
  for (let minute = 0; minute < 10; minute += 1) arrive(1_000_000)
  expect(errors).toEqual(tooSlow)
})

test('while a response is sent for long, its request, which has arrived, is not measured', () => {
  const { request, errors, arrive } = receive({ 'content-length': '0' })
  request.complete = true
  for (let minute = 0; minute < 20; minute += 1) arrive(0)
  expect(errors).toEqual([])
})

test('requests without a body, with a whole one, or whose connection is closed, are not watched', () => {
  for (const event of [null, 'end', 'close']) {
    const { request, errors } = receive(event ? upload : {})
    if (event) request.emit(event)
    expect(vi.getTimerCount()).toBe(0)
    vi.advanceTimersByTime(minutes(20))
    expect(errors).toEqual([])
  }
})
