// A real OpenID Connect provider for the tests: accounts are what POST /test/accounts says.
import http from "node:http";

const [modules, port, redirect, back] = process.argv.slice(2);
const { default: Provider } = await import(`${modules}/oidc-provider/lib/index.js`);

let accounts = {};
const issuer = `http://127.0.0.1:${port}`;
const provider = new Provider(issuer, {
  clients: [
    {
      client_id: "treadle",
      client_secret: "the-secret-of-the-test",
      redirect_uris: [redirect],
      post_logout_redirect_uris: [back],
      grant_types: ["authorization_code", "refresh_token"],
    },
  ],
  claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["groups"] },
  cookies: { keys: ["test"] },
  features: { devInteractions: { enabled: true } },
  findAccount: (_, id) => accounts[id] && { accountId: id, claims: () => ({ sub: id, ...accounts[id] }) },
  issueRefreshToken: () => true,
  pkce: { required: () => true },
  ttl: { AccessToken: 60, AuthorizationCode: 60, Grant: 600, IdToken: 60, Interaction: 60, RefreshToken: 600, Session: 600 },
});
const answer = provider.callback();
http
  .createServer((request, response) => {
    if (request.url !== "/test/accounts") return answer(request, response);
    let text = "";
    request.on("data", (piece) => (text += piece));
    request.on("end", () => {
      accounts = JSON.parse(text);
      response.end("{}");
    });
  })
  .listen(Number(port), "127.0.0.1", () => console.log("listening"));
