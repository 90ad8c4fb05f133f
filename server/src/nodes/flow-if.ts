// In charge of `flow.if`: sends a value to one of two outputs.
import Type from 'typebox'
import { compareParam, conditionParam, judgeOf } from './condition.ts'
import { AnyValue, defineNode, gives, needs, takes } from './define.ts'

// The outputs are `then` and `else`. The code calls them `yes` and `no`, because an object with a member `then` looks like a
// promise.
const ways = { yes: 'then', no: 'else' } as const

export const flowIf = defineNode({
  type: 'flow.if',
  title: 'If',
  summary: 'Sends a value one way or the other.',
  group: 'control',
  help: `
The value leaves by **Then** where the condition holds, and by **Else** where it does not. What follows on the other
way is skipped, and nothing is paid for it.

With **Tested** connected, that is what the condition looks at, and the value only passes through. Numbers are compared
as numbers, also where they are written as text.`,
  params: {
    condition: conditionParam,
    compare: compareParam,
    ignore_case: Type.Boolean({
      title: 'Ignore case',
      description: 'Whether “Sale” and “sale” are the same.',
      default: true,
    }),
  },
  inputs: {
    value: needs({ title: 'Value', description: 'What is sent on.', schema: AnyValue }),
    tested: takes({ title: 'Tested', description: 'Looked at in place of the value.', schema: AnyValue }),
  },
  outputs: {
    [ways.yes]: gives('Then', 'The value, where the condition holds.', AnyValue),
    [ways.no]: gives('Else', 'The value, where it does not.', AnyValue),
  },
  pure: true,
  run: async ({ params, inputs }) => {
    const tested = inputs.tested === undefined ? inputs.value : inputs.tested
    const holds = judgeOf(params.condition, params.compare, params.ignore_case)(tested)
    return { outputs: { [holds ? ways.yes : ways.no]: inputs.value } }
  },
})
