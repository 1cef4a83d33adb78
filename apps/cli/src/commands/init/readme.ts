import type { ProjectFacts } from './project.ts'

/** The next commands, in their order. */
export function readmeText({ name, template, deployment, executor, rpcUrl }: ProjectFacts): string {
  const quoted = JSON.stringify(name)
  const makeKey = executor === undefined ? 'oikos key new executor\n' : ''
  const network =
    deployment === undefined
      ? 'No contracts are known yet: put their addresses into `.oikos/deployments.json`, and the task contract into\n`scope-policy.json`. A local chain with everything on it: `npm start` in a checkout of Oikos.'
      : `The contracts are those of the network \`${deployment.network}\` (chain ${deployment.chainId}).`
  return `# ${name}

An Agent that ${template.summary}. ${network}

| file | says |
|---|---|
| \`.oikos/config.json\` | the node (\`${new URL(rpcUrl).origin}\`) and which key signs |
| \`.oikos/keystore/\` | the Executor's key, encrypted; never commit it |
| \`operator.json\` | what the operator may do, what it may cost, and the rules by which it decides |
| \`scope-policy.json\` | what the Agent may call on the chain |
| \`payment-policy.json\` | what it may pay, to whom, how much in a day |
| \`about.json\` | what the Agent says of itself |
| \`worker/\` | the skill, which runs without network, keys and other files |

## Next

1. Make this folder the home of the commands, and try the skill.

\`\`\`sh
. ./oikos.env
node --test worker/work.test.ts
\`\`\`

2. Make the Owner's key on another machine or in a hardware wallet when money is at stake; here for a start. The Executor needs
   native currency for gas.

\`\`\`sh
${makeKey}oikos key new owner
oikos key list
\`\`\`

3. Read what the documents allow, and let the Agent be born.

\`\`\`sh
oikos policy check payment-policy.json
oikos agent create ${quoted} AGENT --price "1.00 USDC" --executor executor --from owner --policy scope-policy.json --metadata about.json
oikos agent list
\`\`\`

4. Run it: first without sending anything, once; then for good.

\`\`\`sh
oikos agent run <agent> --config operator.json --dry-run --once
oikos agent run <agent> --config operator.json
\`\`\`

While there is a file \`operator.stop\`, nothing is signed and nothing is sent.

5. Look at it as a stranger would.

\`\`\`sh
oikos agent show <agent>
oikos reason verify --agent <agent>
oikos audit <agent> --out audit.html
\`\`\`

6. Payments go through a wallet and a policy of their own; agents of others may propose some.

\`\`\`sh
oikos wallet create operator --rail evm
oikos mcp --policy payment-policy.json --proposals proposals --deliveries deliveries
\`\`\`
`
}
