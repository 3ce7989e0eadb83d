"""Requests to the status server, as the `post` step of a case writes them: TRAINJOB BODY [token=..] [method=..] [path=..]"""
import http.client
import json
import re
import ssl

from cluster import GROUP, NAMESPACE, SERVICE

OPTION = re.compile(r" (token|method|path)=(\S+)$")
SIZED_BODY = re.compile(r"@(size|chunked)=(\d+)")


class StatusPosts:
    """Posts for the TrainJobs of one namespace, with real tokens of its default account."""

    def __init__(self, kube, namespace, ca_file):
        self.kube, self.namespace = kube, namespace
        self.tls = ssl.create_default_context(cafile=ca_file)
        self.tokens = {}

    def post(self, text):
        options = {"token": "ok", "method": "POST", "path": "plain"}
        while match := OPTION.search(text):
            options[match[1]] = match[2]
            text = text[:match.start()]
        name, _, body = text.partition(" ")
        headers = {"Content-Type": "application/json", **self.authorization(options["token"], name)}
        chunked, data = body_bytes(body)
        if chunked:
            headers["Transfer-Encoding"] = "chunked"
            data = iter([data])
        connection = NamedHttpsConnection("127.0.0.1", 10443, self.tls, SERVICE)
        try:
            connection.request(options["method"], self.path(options["path"], name), body=data, headers=headers, encode_chunked=chunked)
            return answer(connection.getresponse())
        except (OSError, http.client.HTTPException) as e:
            return {"transport": type(e).__name__}
        finally:
            connection.close()

    def path(self, how, name):
        path = f"/apis/{GROUP}/v1alpha1/namespaces/{self.namespace}/trainjobs/{name}/status"
        return {"plain": path, "slash": path + "/", "query": path + "?dryRun=All", "healthz": "/healthz",
                "double": path.replace("/namespaces/", "//namespaces/"),
                "encoded": path.replace("/trainjobs/", "/%74rainjobs/")}[how]

    def authorization(self, how, name):
        if how == "none":
            return {}
        if how == "garbage":
            return {"Authorization": "Bearer not.a.token"}
        token = self.token(how, name)
        return {"Authorization": {"basic": f"Basic {token}", "lower-bearer": f"bearer {token}", "spaces": f"Bearer   {token} "}
                .get(how, f"Bearer {token}")}

    def token(self, how, name):
        if (how, name) not in self.tokens:
            self.tokens[how, name] = self.new_token(how, name)
        return self.tokens[how, name]

    def new_token(self, how, name):
        right = self.audience(name)
        if how == "default-audience":
            return self.kube.token(self.namespace, "default")
        if how == "other-job":
            return self.kube.token(self.namespace, "default", [self.audience("someone-else")])
        if how == "other-namespace":
            return self.kube.token(NAMESPACE, "default", [right])
        if how == "multi-audience":
            return self.kube.token(self.namespace, "default", ["https://elsewhere.example", right])
        token = self.kube.token(self.namespace, "default", [right])
        if how == "tampered":
            return token[:-6] + ("A" if token[-6] != "A" else "B") + token[-5:]
        return token

    def audience(self, name):
        return f"{GROUP}/v1alpha1/namespaces/{self.namespace}/trainjobs/{name}/status"


class NamedHttpsConnection(http.client.HTTPSConnection):
    """TCP to an address, TLS as the Service's name, which is what a pod would verify."""

    def __init__(self, host, port, context, name):
        super().__init__(host, port, context=context, timeout=30)
        self.context, self.name = context, name

    def connect(self):
        http.client.HTTPConnection.connect(self)
        self.sock = self.context.wrap_socket(self.sock, server_hostname=self.name)


def body_bytes(text):
    """(chunked, data): (empty), @size=N and @chunked=N are bodies that a line can't hold."""
    if text == "(empty)":
        return False, b""
    sized = SIZED_BODY.match(text)
    if not sized:
        return False, text.encode()
    head = '{"trainerStatus":{"lastUpdatedTime":"2026-01-02T03:04:05Z"},"pad":"'
    padding = "x" * (int(sized[2]) - len(head) - 2)
    return sized[1] == "chunked", f'{head}{padding}"}}'.encode()


def answer(response):
    text = response.read().decode(errors="replace")
    result = {"code": response.status, "contentType": response.headers.get("Content-Type")}
    if response.headers.get("Location"):
        result["location"] = response.headers["Location"]
    try:
        return {**result, "body": json.loads(text), "endsWithNewline": text.endswith("\n")}
    except ValueError:
        return {**result, "text": text}
