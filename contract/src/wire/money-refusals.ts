// In charge of the refusals about money, for starts and for requests that ask for an approval of a start.
export const moneyRefusals = {
  price_unknown: {
    status: 409,
    title: 'Price is not known',
    when: 'A budget or a limit applies to the start, and the price of a model that it would ask is not known. Nothing was started.',
    action: 'Choose a model whose price is known; an operator can give prices with `ATELIER_MODELS`.',
  },
  limit_needed: {
    status: 409,
    title: 'A limit is needed',
    when: 'A budget or an approval applies to the start, and nobody can say what it costs at most. Nothing was started.',
    action: 'Say what it may cost with `max_cost`.',
  },
  budget_exceeded: {
    status: 409,
    title: 'Budget exceeded',
    when: 'The start may cost more than a budget has left, or more than its own `max_cost`. Nothing was started.',
    action: 'Start less, wait for runs under way to rest, or ask an admin to raise the budget (`GET /money` has them).',
  },
  approval_needed: {
    status: 409,
    title: 'Approval needed',
    when: 'The start may cost more than the workspace lets pass without an approval. Nothing was started.',
    action: 'Ask for it (`POST /runs/{id}/approvals` with the same body); once an admin has approved it, start again.',
  },
  approval_not_needed: {
    status: 409,
    title: 'Approval not needed',
    when: 'An approval was asked for, and the start may cost no more than passes without one. Nothing was asked.',
    action: 'Start it.',
  },
  approval_overtaken: {
    status: 409,
    title: 'Approval overtaken',
    when: 'The run was changed or started since the approval was asked for, or the start is to be approved and has another plan by now (prices have changed, or a result is there already), so that no start can use it. Nothing was decided.',
    action: 'Whoever wants the start asks for another approval.',
  },
  approval_used: {
    status: 409,
    title: 'Approval used',
    when: 'The approval is to be declined, and a start has used it already. Nothing was decided.',
    action: 'Cancel the run if it is not to go on. Another start needs another approval.',
  },
} as const
