"""A proxy that records the requests of a browser, and answers each request with an error."""

import http.server
import threading


class Recorder:
    """The proxy, on a free port. It ends with its `with` block."""

    def __init__(self):
        self.addresses = []

    def __enter__(self):
        addresses = self.addresses

        class Handler(http.server.BaseHTTPRequestHandler):
            def record(self):
                addresses.append(self.path)
                self.send_error(502)

            do_GET = do_POST = do_HEAD = do_OPTIONS = do_CONNECT = record

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.port = self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()

    def requests_for(self, host):
        """Returns the addresses of the requests that contain the name of a host."""
        return [address for address in self.addresses if host in address]
